package mechanism

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// refusedReference explains a blocking dependent that the garbage collector leaves alone because of
// an owner reference that it can't honour (deletion-mechanics A, M02-F3 and F4). It answers false
// when there is none.
func (t *Tools) refusedReference(ctx context.Context, owner, dependent *session.Object) (session.Answer, bool) {
	if dependent.Ref.Namespace == "" && owner.Ref.Namespace != "" {
		refused := t.invalidReference(owner, dependent)
		refused.Evidence = append(refused.Evidence, t.invalidNamespaceEvents(ctx, dependent)...)
		return session.Cause(refused), true
	}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return session.Answer{}, false
	}
	for _, reference := range dependent.Meta.OwnerReferences {
		kind := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
		resource, known := catalog.OfKind(kind.GroupKind())
		switch {
		case catalog.Unserved(kind):
			return session.Cause(t.unresolvableReference(owner, dependent, reference)), true
		case dependent.Ref.Namespace == "" && known && resource.Namespaced:
			return session.Cause(t.invalidOther(owner, dependent, reference)), true
		}
	}
	return session.Answer{}, false
}

// invalidReference is the cause of a cluster-scoped dependent of a namespaced owner: the collector
// drops it for good, and it blocks all the same (row A8).
func (t *Tools) invalidReference(owner, dependent *session.Object) finding.Finding {
	return finding.Finding{
		Reason: finding.InvalidOwnerReference, Object: dependent.Ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s has no namespace and names %s as its owner, which has one. The garbage collector refuses such a reference: it never deletes the dependent, and the dependent blocks its owner all the same.",
			dependent.Ref, owner.Ref),
		Awaited: fmt.Sprintf("%s, which names it as its owner although it has no namespace itself; the garbage collector never deletes such a dependent", dependent.Ref),
		Evidence: []finding.Evidence{{
			Source: dependent.Ref.String(), Observed: fmt.Sprintf("cluster-scoped, and its owner reference has the uid of %s and blockOwnerDeletion", owner.Ref), Object: &dependent.Ref,
		}},
		Remedies: append(t.disown(dependent, owner.Ref.UID, "nothing: the collector never honoured the reference"), t.StopWaiting(owner.Ref)),
	}
}

// invalidOther is the cause of a cluster-scoped dependent that has, besides this owner, one of a kind
// with namespaces: that reference alone makes the collector drop the dependent for good.
func (t *Tools) invalidOther(owner, dependent *session.Object, reference metav1.OwnerReference) finding.Finding {
	other := reference.Kind + " " + reference.Name
	return finding.Finding{
		Reason: finding.InvalidOwnerReference, Object: dependent.Ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s has no namespace and also names %s as its owner, which has one. The garbage collector refuses such a reference: it never deletes the dependent, which blocks its other owner %s all the same.",
			dependent.Ref, other, owner.Ref),
		Awaited: fmt.Sprintf("%s, which the garbage collector never deletes because another of its owners, %s, has a namespace and it has none", dependent.Ref, other),
		Evidence: []finding.Evidence{{
			Source: dependent.Ref.String(), Observed: fmt.Sprintf("cluster-scoped, with an owner reference to %s in %s, uid %s", other, reference.APIVersion, reference.UID), Object: &dependent.Ref,
		}},
		Remedies: append(t.disown(dependent, string(reference.UID), "nothing: the collector never honoured the reference"), t.StopWaiting(owner.Ref)),
	}
}

// unresolvableReference is the cause of a dependent with an owner of a kind that isn't served: one
// reference that can't be resolved keeps the collector from judging any (rows A6 and A15).
func (t *Tools) unresolvableReference(owner, dependent *session.Object, reference metav1.OwnerReference) finding.Finding {
	kind := reference.Kind + " in " + reference.APIVersion
	certainty := finding.Proven
	if t.Session.Since(owner) < session.Patience {
		certainty = finding.Likely // a collector that saw the owner vanish may yet act (row A6')
	}
	return finding.Finding{
		Reason: finding.UnresolvableOwner, Object: dependent.Ref, Certainty: certainty,
		Message: fmt.Sprintf("%s also names %s %s as its owner, and the server doesn't serve %s. The garbage collector can't judge a dependent of which it can't resolve every owner, so it never deletes this one.",
			dependent.Ref, reference.Kind, reference.Name, kind),
		Awaited: fmt.Sprintf("%s, which the garbage collector can't judge: the server doesn't serve %s, the kind of another of its owners", dependent.Ref, kind),
		Evidence: []finding.Evidence{
			{Source: dependent.Ref.String(), Observed: fmt.Sprintf("an owner reference to %s %s, uid %s", kind, reference.Name, reference.UID), Object: &dependent.Ref},
			{Source: "discovery", Observed: kind + " is not served"},
		},
		Remedies: append(t.disown(dependent, string(reference.UID), "the record that it belonged to "+reference.Kind+" "+reference.Name), t.StopWaiting(owner.Ref)),
	}
}

// disown offers to take a reference off a dependent, after a look at whose it is.
func (t *Tools) disown(dependent *session.Object, ownerUID, loses string) []finding.Remedy {
	return []finding.Remedy{{
		Action:  "Take the reference off the dependent. The command refuses if its references have changed since.",
		Command: t.Session.Kubectl.Command(dependent, "patch", "--type", "json", "-p", session.DisownPatch(dependent, ownerUID)),
		Risk:    finding.NoRisk,
		Loses:   loses,
	}}
}

// StopWaiting is the supported way out of foreground deletion: a second DELETE, in the background,
// takes the finalizer off (deletion-mechanics 0.1).
func (t *Tools) StopWaiting(owner finding.Ref) finding.Remedy {
	return finding.Remedy{
		Action:  fmt.Sprintf("Stop waiting for dependents: delete %s again, in the background. They are then collected without order.", owner),
		Command: t.Session.Kubectl.CommandFor(owner, "delete", "--cascade=background", "--wait=false"),
		Risk:    finding.Disruption,
		Loses:   "the order, children before their parent",
	}
}

// Disown offers to take a reference off a dependent.
func (t *Tools) Disown(dependent *session.Object, owner, loses string) []finding.Remedy {
	return t.disown(dependent, owner, loses)
}
