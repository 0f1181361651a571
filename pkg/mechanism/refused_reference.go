package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// refusedReference explains a blocking dependent that the garbage collector leaves alone because of an owner reference
// that it can't honour (docs/deletion.md#how-owner-references-are-judged). It answers false when there is none.
func refusedReference(ctx context.Context, reads *session.Session, owner, dependent *Object) (Answer, bool) {
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return Answer{}, false
	}
	references := slices.Clone(dependent.Meta.OwnerReferences)
	slices.SortStableFunc(references, func(a, b metav1.OwnerReference) int {
		return session.FalseFirst(string(a.UID) != owner.Ref.UID, string(b.UID) != owner.Ref.UID)
	})
	for _, reference := range references {
		judged := ownership.Judged{Reference: reference}
		switch ownership.Judge(dependent.Ref, reference, kindOf(servedKinds, reference), ownership.Owner{Unread: true}) {
		case finding.OwnerUnserved:
			return session.Cause(unresolvableReference(reads, owner, dependent, judged.Named())), true
		case finding.DependentClusterScoped:
			return session.Cause(invalidReference(ctx, reads, owner, dependent, judged.Named())), true
		}
	}
	return Answer{}, false
}

// invalidReference is the cause of a cluster-scoped dependent with an owner of a kind with namespaces, be it this owner
// or another: the collector drops the dependent for good, and it blocks all the same.
func invalidReference(
	ctx context.Context, reads *session.Session, owner, dependent *Object, named finding.Ref,
) Finding {
	invalid := Finding{
		Reason: finding.InvalidOwnerReference, Situation: "ClusterScopedDependent", Object: dependent.Ref,
		Certainty: finding.Proven, Details: finding.InvalidOwnerReferenceDetails{Owner: owner.Ref},
		Remedies: []Remedy{
			removeReference(reads, dependent, named, finding.DependentClusterScoped), StopWaiting(reads, owner.Ref, true),
		},
	}
	if named.UID != owner.Ref.UID {
		invalid.Remedies = removeForgotten(reads, owner, dependent, named)
		invalid.Situation = "ClusterScopedWithOther"
		invalid.Details = finding.InvalidOwnerReferenceDetails{Owner: owner.Ref, Invalid: &named}
		invalid.Evidence = []Evidence{dependent.Ref.Observed(
			"cluster-scoped, with an owner reference to %s in %s, uid %s", named, named.APIVersion, named.UID)}
		return invalid
	}
	const observed = "cluster-scoped, and its owner reference has the uid of %s and blockOwnerDeletion"
	invalid.Evidence = append(invalid.Evidence, dependent.Ref.Observed(observed, owner.Ref))
	invalid.Evidence = append(invalid.Evidence, invalidNamespaceEvents(ctx, reads, dependent)...)
	return invalid
}

// unresolvableReference is the cause of a dependent whose owners can't all be resolved.
func unresolvableReference(reads *session.Session, owner, dependent *Object, named finding.Ref) Finding {
	certainty := finding.Proven
	if reads.Since(owner) < session.Patience {
		certainty = finding.Likely // a collector that saw the owner vanish may yet act (docs/deletion.md#virtual-nodes)
	}
	return Finding{
		Reason: finding.UnresolvableOwner, Situation: "OtherOwnerUnserved", Object: dependent.Ref, Certainty: certainty,
		Details:  finding.UnresolvableOwnerDetails{Owner: owner.Ref, Unresolved: named},
		Evidence: []Evidence{referenceTo(dependent, named), notServed(named)},
		Remedies: []Remedy{
			removeReference(reads, dependent, named, finding.OwnerUnserved), StopWaiting(reads, owner.Ref, true),
		},
	}
}

func notServed(named finding.Ref) Evidence {
	return finding.Observed("discovery", "%s in %s is not served", named.Kind, named.APIVersion)
}

func referenceTo(dependent *Object, to finding.Ref) Evidence {
	return dependent.Ref.Observed("an owner reference to %s %s in %s, uid %s", to.Kind, to.Name, to.APIVersion, to.UID)
}

// removeReference offers to remove an owner reference; what that loses depends on the reference's state.
func removeReference(reads *session.Session, dependent *Object, named finding.Ref, state finding.Ownership) Remedy {
	patch := session.DisownPatch(dependent, named.UID)
	return Remedy{
		Step: "RemoveReference", Details: finding.OwnerDetails{Owner: named, Ownership: state},
		Command: reads.Kubectl.Command(dependent, "patch", "--type", "json", "-p", patch),
	}
}

// removeForgotten removes the owner reference that made the garbage collector drop a dependent, and then releases the
// owner: the collector does not come back by itself (docs/deletion.md#after-a-repair).
func removeForgotten(reads *session.Session, owner, dependent *Object, named finding.Ref) []Remedy {
	remove := removeReference(reads, dependent, named, finding.DependentClusterScoped)
	remove.Details = finding.OwnerDetails{
		Owner: named, Ownership: finding.DependentClusterScoped, Other: &owner.Ref,
	}
	return []Remedy{remove, StopWaiting(reads, owner.Ref, false)}
}

// StopWaiting ends foreground deletion by a second DELETE, in the background (docs/deletion.md#a-second-delete). stays
// says that the garbage collector never deletes the dependent that is waited for.
func StopWaiting(reads *session.Session, owner finding.Ref, stays bool) Remedy {
	return Remedy{
		Step: "StopWaiting", Details: finding.StepDetails{Object: &owner, Stays: stays},
		Command: reads.Kubectl.CommandFor(owner, "delete", "--cascade=background", "--wait=false"),
		Risk:    finding.Disruption,
	}
}

func aboutDependent(
	ctx context.Context, reads *session.Session, checker *health.Checker, owner, dependent *Object,
) []Evidence {
	evidence := undiscovered(ctx, reads, dependent)
	if dependent.Ref.Namespace != owner.Ref.Namespace && owner.Ref.Namespace != "" {
		evidence = append(evidence, invalidNamespaceEvents(ctx, reads, dependent)...)
	}
	return append(evidence, checker.ControlPlane.LeaseEvidence(ctx)...)
}

// undiscovered names owners whose kinds can't be discovered: the collector may be unable to judge the dependent.
func undiscovered(ctx context.Context, reads *session.Session, dependent *Object) (evidence []Evidence) {
	const observed = "%s can't be discovered (%v), and another owner, %s %s, belongs to it: " +
		"the garbage collector may be unable to look it up"
	servedKinds := reads.ServedKinds(ctx)
	for _, owner := range dependent.Meta.OwnerReferences {
		version := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupVersion()
		servedKinds.Ask(version.Group)
		if failure, failed := servedKinds.Failed[version]; failed {
			evidence = append(evidence,
				finding.Observed("discovery", observed, version, failure, owner.Kind, owner.Name))
		}
	}
	return evidence
}
