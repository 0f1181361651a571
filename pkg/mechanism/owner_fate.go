package mechanism

import (
	"cmp"
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Fate returns what will become of a live object because of its owners and its namespace: nothing, if it stays.
type Fate struct {
	// Awaits is an owner, or the namespace, that is being deleted, and with which the object goes.
	Awaits *Object
	// Follows says that the object goes only after Awaits has gone; otherwise Awaits goes after it.
	Follows bool
	// Says is part of the answer, in the form that foretells.
	Says []Finding
	// Notes are those of them that have evidence, or something that may be done.
	Notes []Finding
}

// FateOf reads the owners of a live object, and its namespace, and returns what will become of it because of them:
// nothing, if everything stays as it is.
func FateOf(ctx context.Context, t *Tools, object *Object) Fate {
	fate, references := Fate{}, references(ctx, t.Session, object)
	outcome, decisive := ownership.Decide(references)
	unread := slices.IndexFunc(references, ownership.Judged.Unread)
	switch {
	case outcome == ownership.Undecidable:
		fate.tell(unjudgeable(t.Session, object, *decisive))
	case unread >= 0:
		fate.tell(Finding{Situation: "OwnerUnread", Details: finding.OwnerDetails{Owner: references[unread].Named()}})
	case outcome != ownership.Kept:
		fate.tell(unowned(ctx, t.Session, t.Health, object, len(references), *decisive))
		fallthrough
	default:
		awaitOwner(references, &fate)
	}
	if fate.Awaits == nil {
		awaitAncestor(ctx, t.Session, references, &fate)
	}
	if fate.Awaits == nil {
		awaitNamespace(ctx, t.Session, object, &fate)
	}
	fate.Says = append(fate.Says, Mirror(object)...)
	awaitReclaim(ctx, t, object, &fate)
	return fate
}

func (f *Fate) tell(note Finding) {
	f.Says = append(f.Says, note)
	if len(note.Evidence)+len(note.Remedies) > 0 {
		f.Notes = append(f.Notes, note)
	}
}

// unjudgeable is about an object with an owner reference that can't be resolved
// (docs/deletion.md#how-owner-references-are-judged).
func unjudgeable(reads *session.Session, object *Object, refused ownership.Judged) Finding {
	named := refused.Named()
	note := Finding{
		Situation: "OwnerUnserved", Object: object.Ref,
		Details:  finding.OwnerDetails{Owner: named, Ownership: refused.State},
		Evidence: []Evidence{referenceTo(object, named)},
		Remedies: []Remedy{removeReference(reads, object, named, finding.OwnerUnserved), {
			Step: "DeleteOrphan", Command: reads.Kubectl.Command(object, "delete", "--wait=false"), Risk: finding.DataLoss,
		}},
	}
	switch {
	case refused.Undiscovered != nil:
		note.Situation, note.Remedies = "OwnerUndiscovered", nil
		note.Evidence = append(note.Evidence, finding.Observed("discovery", "%s", refused.Undiscovered))
	case refused.State == finding.DependentClusterScoped:
		note.Situation = "OwnerInNamespace"
	default:
		note.Evidence = append(note.Evidence, notServed(named))
	}
	return note
}

// unowned is about an object that none of its owners keeps, and that is collected
// (docs/deletion.md#how-owner-references-are-judged).
func unowned(
	ctx context.Context, reads *session.Session, checker *health.Checker, object *Object, owners int,
	decisive ownership.Judged,
) Finding {
	named := decisive.Named()
	about := finding.OwnerDetails{
		Owner: named, Ownership: decisive.State, Owners: owners, Foreground: decisive.Waits(), Collector: "runs",
	}
	refers := object.Ref.Observed("an owner reference to %s in %s, uid %s", named, named.APIVersion, named.UID)
	var collector []Evidence
	switch answer, alive := checker.ControlPlane.ControllerManagerAlive(ctx, object); {
	case alive:
		collector = checker.ControlPlane.LeaseEvidence(ctx)
	case len(answer.Open) > 0:
		about.Collector = "unknown"
	default:
		about.Collector = "down"
		for cause := range answer.Blamed() {
			collector = append(collector, cause.Evidence...)
		}
	}
	return Finding{
		Situation: "CollectedSoon", Object: object.Ref, Details: about,
		Evidence: slices.Concat([]Evidence{refers}, collector, invalidNamespaceEvents(ctx, reads, object)),
	}
}

// awaitOwner finds the first owner that is being deleted, and says which of the two waits for the other.
func awaitOwner(references []ownership.Judged, fate *Fate) {
	there := map[bool]*Object{} // the first of the ones that are being deleted, and of the ones that aren't
	for _, judged := range references {
		if judged.State == finding.Honoured {
			there[judged.Owner.Terminating()] = cmp.Or(there[judged.Owner.Terminating()], judged.Owner)
		}
	}
	owner, alive := there[true], there[false]
	if owner == nil {
		return
	}
	about := finding.OwnerDetails{Owner: owner.Ref, Other: refOf(alive)}
	switch {
	case alive != nil:
		fate.tell(Finding{Situation: "KeptByOtherOwner", Details: about})
		return
	case ownership.HasFinalizer(owner, metav1.FinalizerOrphanDependents):
		fate.tell(Finding{Situation: "StaysAsOrphan", Details: about})
	case !slices.ContainsFunc(references, ownership.Judged.Waits):
		fate.tell(Finding{Situation: "GoesAfterOwner", Details: about})
		fate.Follows = true
	}
	fate.Awaits = owner
}

// ancestors bounds the walk up through owners that were not deleted.
const ancestors = 3

// awaitAncestor looks for an owner's only owner that is being deleted: a Pod goes with the Deployment above it.
func awaitAncestor(ctx context.Context, reads *session.Session, judged []ownership.Judged, fate *Fate) {
	for range ancestors {
		if len(judged) != 1 || judged[0].State != finding.Honoured {
			return
		}
		judged = references(ctx, reads, judged[0].Owner)
		if len(judged) != 1 || judged[0].State != finding.Honoured || !judged[0].Owner.Terminating() {
			continue
		}
		top := judged[0].Owner
		if !ownership.HasFinalizer(top, metav1.FinalizerOrphanDependents) {
			fate.Awaits, fate.Follows = top, true
			fate.tell(Finding{Situation: "GoesAfterAncestor", Details: finding.OwnerDetails{Owner: top.Ref}})
		}
		return
	}
}

// skew is how far the clocks of two API servers may be apart.
const skew = 2 * time.Second

func namespaceOf(ctx context.Context, reads *session.Session, object *Object) (namespace *Object, read bool) {
	if object.Ref.Namespace == "" {
		return nil, false
	}
	namespace, err := reads.Read(ctx, cluster.Namespaces(), "", object.Ref.Namespace)
	return namespace, err == nil || apierrors.IsNotFound(err)
}

func awaitNamespace(ctx context.Context, reads *session.Session, object *Object, fate *Fate) {
	namespace, read := namespaceOf(ctx, reads, object)
	switch {
	case !read:
	case namespace == nil:
		fate.Notes = append(fate.Notes, withoutNamespace(reads, object))
	case namespace.Terminating():
		fate.Awaits = namespace
		about := finding.FormerNamespaceDetails{Namespace: namespace.Ref}
		fate.tell(Finding{Situation: "GoesWithNamespace", Details: about})
	}
}

// FormerLife remarks on an object that is older than its namespace, or has none: it is left from one that was made to
// vanish with its content (docs/deletion.md#a-namespace-that-was-finalized-by-force).
func FormerLife(ctx context.Context, reads *session.Session, object *Object) []Finding {
	namespace, read := namespaceOf(ctx, reads, object)
	switch {
	case !read:
		return nil
	case namespace == nil:
		return []Finding{withoutNamespace(reads, object)}
	}
	created, earlier := namespace.Meta.CreationTimestamp.Time, object.Meta.CreationTimestamp.Time
	older := created.Sub(earlier)
	if created.IsZero() || earlier.IsZero() || older <= skew {
		return nil
	}
	const observed = "created %s ago, %s after %s"
	seen := namespace.Ref.Observed(observed, reads.Ago(created), finding.Length(older), object.Ref)
	return []Finding{{
		Situation: "OlderThanNamespace", Object: object.Ref,
		Details: finding.FormerNamespaceDetails{Namespace: namespace.Ref}, Evidence: []Evidence{seen.When(created)},
	}}
}

func withoutNamespace(reads *session.Session, object *Object) Finding {
	namespace := session.Named(cluster.Namespaces(), "", object.Ref.Namespace)
	return Finding{
		Situation: "FormerNamespaceGone", Object: object.Ref,
		Details:  finding.FormerNamespaceDetails{Namespace: namespace.Ref},
		Evidence: []Evidence{namespace.Ref.NotFound()},
		Remedies: []Remedy{{
			Step:    "CreateNamespace",
			Command: reads.Kubectl.Prefix(namespace.Ref, "create", "namespace", namespace.Ref.Name),
		}},
	}
}

// Mirror remarks on a static pod, which its kubelet runs from a file (docs/deletion.md#not-stuck-at-all).
func Mirror(object *Object) []Finding {
	const annotation = "kubernetes.io/config.mirror"
	if !object.Is("", "Pod") || object.Meta.Annotations[annotation] == "" {
		return nil
	}
	return []Finding{{
		Situation: "MirrorPod", Object: object.Ref, Details: finding.MirrorPodDetails{Node: object.PodNode()},
		Evidence: []Evidence{object.Ref.Observed("annotation %s", annotation)},
	}}
}
