package mechanism

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Dependent is an object that refers to an owner.
type Dependent struct {
	*Object
	Reference metav1.OwnerReference // to the owner
	State     finding.Ownership
}

// Dependents returns the objects that refer to an owner by its uid: those in its namespace and those without one, the
// ones that the garbage collector has complained about, and with everywhere those in all other namespaces too.
func Dependents(ctx context.Context, reads *session.Session, owner *Object, everywhere bool) ([]Dependent, error) {
	parts := partsOf(owner.Ref.Namespace, everywhere)
	warm(ctx, reads, parts)
	found, _, err := reads.Owners.DependentsIn(ctx, owner.Ref.UID, parts...)
	if err != nil {
		return nil, err
	}
	if parts[0].Namespace != "" {
		found = addComplained(ctx, reads, owner, found)
	}
	var dependents []Dependent
	for _, object := range found {
		ours := slices.IndexFunc(object.Meta.OwnerReferences, func(ownerReference metav1.OwnerReference) bool {
			return string(ownerReference.UID) == owner.Ref.UID
		})
		dependent := Dependent{Object: object, Reference: object.Meta.OwnerReferences[ours]}
		dependent.State = JudgeOwner(ctx, reads, object, dependent.Reference, owner.Ref)
		dependents = append(dependents, dependent)
	}
	return dependents, nil
}

// partsOf is where the dependents of an owner are looked for, to be shown. Those without a namespace of something that
// is in one refer to it by mistake, and a mistake of the last second may be missed
// (docs/decisions/0002-reading-a-cluster.md).
func partsOf(namespace string, everywhere bool) []session.Part {
	if everywhere {
		namespace = ""
	}
	outside := session.Part{Scope: session.ClusterScoped, Recent: namespace != ""}
	return []session.Part{{Scope: session.Namespaced, Namespace: namespace}, outside}
}

// Expect reads beforehand what Dependents of something in a namespace will rest on.
func Expect(ctx context.Context, reads *session.Session, namespace string, everywhere bool) {
	warm(ctx, reads, partsOf(namespace, everywhere))
}

func warm(ctx context.Context, reads *session.Session, parts []session.Part) {
	tasks := []func(){func() { _ = Complaints(ctx, reads) }}
	for _, part := range parts {
		tasks = append(tasks, func() { _, _ = reads.Owners.Index(ctx, part) })
	}
	session.SideBySide(tasks)
}

// addComplained adds dependents in other namespaces that the garbage collector has written events about: one request,
// where to look for them would take many. That there are no events proves nothing
// (docs/deletion.md#events-about-owner-references).
func addComplained(ctx context.Context, reads *session.Session, owner *Object, found []*Object) []*Object {
	for _, complaint := range Complaints(ctx, reads) {
		named := complaint.Dependent
		same := func(known *Object) bool { return known.Ref.UID == named.Ref.UID }
		if complaint.OwnerUID != owner.Ref.UID || slices.ContainsFunc(found, same) {
			continue
		}
		meta, err := reads.Reader.Metadata(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
		if err == nil && refersTo(meta, owner.Ref.UID) {
			found = append(found, session.FromMetadata(named.Resource, meta))
		}
	}
	return found
}

// dependentsOf looks for dependents in the owner's namespace and among the cluster-scoped kinds. All other namespaces
// follow only where reading everything was asked for, or the owner should long have gone.
func dependentsOf(
	ctx context.Context, reads *session.Session, owner *Object, wanted func(*Object) bool,
) (found []*Object, unlisted *session.NotListed, err error) {
	all := reads.Deep || reads.Since(owner) >= session.Patience
	for _, namespace := range slices.Compact([]string{owner.Ref.Namespace, ""}) {
		parts := []session.Part{{Scope: session.Namespaced, Namespace: namespace}, {Scope: session.ClusterScoped}}
		found, unlisted, err = reads.Owners.DependentsIn(ctx, owner.Ref.UID, parts...)
		found = slices.DeleteFunc(found, func(dependent *Object) bool { return !wanted(dependent) })
		if err != nil || len(found) > 0 || !all {
			break
		}
	}
	return found, unlisted, err
}

// dependentsUnread answers where no dependent was seen. orphans: the owner waits until none refers to it any more.
func dependentsUnread(object *Object, unlisted *session.NotListed, orphans bool) Answer {
	about := finding.DependentsDetails{Kinds: unlisted.Names, Orphans: orphans, Forbidden: unlisted.Forbidden}
	seen := finding.Observed("owner references", "no such dependent among the kinds that could be read")
	answer := session.Open(Finding{ // reading these kinds settles all that rests on them
		Situation: "DependentKindsUnread", Object: object.Ref, Details: about,
		Evidence: []Evidence{seen.Of(object.Ref)},
		Key:      finding.KeyOf("DependentKindsUnread", unlisted.Key),
	})
	if len(unlisted.Broken) > 0 {
		// The garbage collector can't watch them either, and doesn't wait for dependents that it has never seen
		// (docs/deletion.md#dependents-that-the-collector-does-not-see).
		about := finding.DependentsDetails{Kinds: unlisted.Broken}
		answer.Remarks = []Finding{{Situation: "DependentsUnwatched", Details: about, Key: "DependentsUnwatched"}}
	}
	return answer
}

// besidesUnread adds to an answer that there may be other dependents, unless it names a cause already.
func besidesUnread(answer Answer, object *Object, unlisted *session.NotListed, orphans bool) Answer {
	causes := len(answer.Causes) > 0 || slices.ContainsFunc(answer.Waits, func(wait Wait) bool {
		return len(wait.Otherwise.Causes) > 0 || len(wait.Otherwise.Waits) > 0
	})
	if len(unlisted.Kinds) == 0 || causes {
		return answer
	}
	others := dependentsUnread(object, unlisted, orphans)
	others.Open[0].Situation, others.Open[0].Evidence = "OtherDependentsUnread", nil
	answer.Add(others)
	return answer
}

const invalidNamespace = "OwnerRefInvalidNamespace"

// Complaint is an event in which the garbage collector refuses an owner reference.
type Complaint struct {
	Dependent *Object // by name only
	OwnerUID  string
	Message   string
}

// Complaints returns the events about references into another namespace. A failed read is noted by the Reader.
func Complaints(ctx context.Context, reads *session.Session) (complaints []Complaint) {
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return nil
	}
	selector := cluster.Selector{Fields: cluster.FieldIs("reason", invalidNamespace)}
	events, _ := session.ListWhole[corev1.Event](ctx, reads, cluster.Events(), "", selector)
	uid := regexp.MustCompile(`uid: ([^\]]+)\]`)
	for _, event := range events {
		about, message := event.Typed.InvolvedObject, event.Typed.Message
		resource, known := servedKinds.OfKind(about.GroupVersionKind().GroupKind())
		if !known {
			continue
		}
		complaint := Complaint{Dependent: session.Named(resource, about.Namespace, about.Name), Message: message}
		complaint.Dependent.Ref.UID = string(about.UID)
		if named := uid.FindStringSubmatch(message); named != nil {
			complaint.OwnerUID = named[1]
		}
		complaints = append(complaints, complaint)
	}
	return complaints
}

// invalidNamespaceEvents are the garbage collector's warnings about a dependent's references
// (docs/deletion.md#events-about-owner-references). They are kept for an hour: that there is none proves nothing, nor
// does a refusal to list them.
func invalidNamespaceEvents(ctx context.Context, reads *session.Session, dependent *Object) (newest []Evidence) {
	// Those about cluster-scoped objects are in the namespace default.
	namespace := cmp.Or(dependent.Ref.Namespace, metav1.NamespaceDefault)
	ofIt := cluster.FieldIs("involvedObject.uid", dependent.Ref.UID)
	selector := cluster.Selector{Fields: ofIt + ",reason=" + invalidNamespace}
	events, _ := session.ListWhole[corev1.Event](ctx, reads, cluster.Events(), namespace, selector)
	for _, event := range events {
		evidence := finding.Observed("event "+event.Typed.Reason, "%s", event.Typed.Message).Of(dependent.Ref)
		if at := event.Typed.LastTimestamp.Time; !at.IsZero() {
			evidence = evidence.When(at)
		}
		if len(newest) == 0 || evidence.At != nil && newest[0].At != nil && evidence.At.After(*newest[0].At) {
			newest = []Evidence{evidence}
		}
	}
	return newest
}
