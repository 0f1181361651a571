package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// refusedReference explains a blocking dependent that the garbage collector leaves alone because of an owner reference
// that it can't honour (docs/deletion.md#how-owner-references-are-judged). It answers false when there is none.
func (t *Tools) refusedReference(ctx context.Context, owner, dependent *Object) (Answer, bool) {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return Answer{}, false
	}
	references := slices.Clone(dependent.Meta.OwnerReferences)
	slices.SortStableFunc(references, func(a, b metav1.OwnerReference) int {
		return session.FalseFirst(string(a.UID) != owner.Ref.UID, string(b.UID) != owner.Ref.UID)
	})
	for _, reference := range references {
		judged := ownership.Judged{Reference: reference}
		switch ownership.Judge(dependent.Ref, reference, kindOf(catalog, reference), ownership.Owner{Unread: true}) {
		case finding.OwnerUnserved:
			return session.Cause(t.unresolvableReference(owner, dependent, judged.Named())), true
		case finding.DependentClusterScoped:
			return session.Cause(t.invalidReference(ctx, owner, dependent, judged.Named())), true
		}
	}
	return Answer{}, false
}

// invalidReference is the cause of a cluster-scoped dependent with an owner of a kind with namespaces, be it this owner
// or another: the collector drops the dependent for good, and it blocks all the same.
func (t *Tools) invalidReference(ctx context.Context, owner, dependent *Object, named finding.Ref) Finding {
	invalid := Finding{
		Reason: finding.InvalidOwnerReference, Situation: "ClusterScopedDependent", Object: dependent.Ref,
		Certainty: finding.Proven, Details: finding.InvalidOwnerReferenceDetails{Owner: owner.Ref},
		Remedies: []Remedy{
			t.removeReference(dependent, named, finding.DependentClusterScoped), t.StopWaiting(owner.Ref, true),
		},
	}
	if named.UID != owner.Ref.UID {
		invalid.Situation = "ClusterScopedWithOther"
		invalid.Details = finding.InvalidOwnerReferenceDetails{Owner: owner.Ref, Invalid: &named}
		invalid.Evidence = []Evidence{dependent.Ref.Observed(
			"cluster-scoped, with an owner reference to %s in %s, uid %s", named, named.APIVersion, named.UID)}
		return invalid
	}
	const observed = "cluster-scoped, and its owner reference has the uid of %s and blockOwnerDeletion"
	invalid.Evidence = append(invalid.Evidence, dependent.Ref.Observed(observed, owner.Ref))
	invalid.Evidence = append(invalid.Evidence, t.invalidNamespaceEvents(ctx, dependent)...)
	return invalid
}

// unresolvableReference is the cause of a dependent whose owners can't all be resolved.
func (t *Tools) unresolvableReference(owner, dependent *Object, named finding.Ref) Finding {
	certainty := finding.Proven
	if t.Session.Since(owner) < session.Patience {
		certainty = finding.Likely // a collector that saw the owner vanish may yet act (docs/deletion.md#virtual-nodes)
	}
	return Finding{
		Reason: finding.UnresolvableOwner, Situation: "OtherOwnerUnserved", Object: dependent.Ref, Certainty: certainty,
		Details:  finding.UnresolvableOwnerDetails{Owner: owner.Ref, Unresolved: named},
		Evidence: []Evidence{referenceTo(dependent, named), notServed(named)},
		Remedies: []Remedy{t.removeReference(dependent, named, finding.OwnerUnserved), t.StopWaiting(owner.Ref, true)},
	}
}

func notServed(named finding.Ref) Evidence {
	return finding.Observed("discovery", "%s in %s is not served", named.Kind, named.APIVersion)
}

func referenceTo(dependent *Object, to finding.Ref) Evidence {
	return dependent.Ref.Observed("an owner reference to %s %s in %s, uid %s", to.Kind, to.Name, to.APIVersion, to.UID)
}

// removeReference offers to remove an owner reference; what that loses depends on the reference's state.
func (t *Tools) removeReference(dependent *Object, named finding.Ref, state finding.Ownership) Remedy {
	patch := session.DisownPatch(dependent, named.UID)
	return Remedy{
		Step: "RemoveReference", Details: finding.OwnerDetails{Owner: named, Ownership: state},
		Command: t.kubectl(dependent, "patch", "--type", "json", "-p", patch),
	}
}

// StopWaiting ends foreground deletion by a second DELETE, in the background (docs/deletion.md#a-second-delete). stays
// says that the garbage collector never deletes the dependent that is waited for.
func (t *Tools) StopWaiting(owner finding.Ref, stays bool) Remedy {
	return Remedy{
		Step: "StopWaiting", Details: finding.StepDetails{Object: &owner, Stays: stays},
		Command: t.Session.Kubectl.CommandFor(owner, "delete", "--cascade=background", "--wait=false"),
		Risk:    finding.Disruption,
	}
}

func (t *Tools) aboutDependent(ctx context.Context, owner, dependent *Object) []Evidence {
	evidence := t.undiscovered(ctx, dependent)
	if dependent.Ref.Namespace != owner.Ref.Namespace && owner.Ref.Namespace != "" {
		evidence = append(evidence, t.invalidNamespaceEvents(ctx, dependent)...)
	}
	return append(evidence, t.Health.LeaseEvidence(ctx)...)
}

// undiscovered names owners whose kinds can't be discovered: the collector may be unable to judge the dependent.
func (t *Tools) undiscovered(ctx context.Context, dependent *Object) (evidence []Evidence) {
	const observed = "%s can't be discovered (%v), and another owner, %s %s, belongs to it: " +
		"the garbage collector may be unable to look it up"
	catalog := t.Session.Catalog(ctx)
	for _, owner := range dependent.Meta.OwnerReferences {
		version := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupVersion()
		catalog.Ask(version.Group)
		if failure, failed := catalog.Failed[version]; failed {
			evidence = append(evidence,
				finding.Observed("discovery", observed, version, failure, owner.Kind, owner.Name))
		}
	}
	return evidence
}
