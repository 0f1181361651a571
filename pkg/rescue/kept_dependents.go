package rescue

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// findStaying finds the dependents that a step keeps: they are not being deleted yet, and go only because an owner
// does. In a namespace that is being deleted, nothing stays.
func (p *planner) findStaying() {
	if p.isContainer() {
		return
	}
	for _, object := range p.going.Deleted {
		if !object.Terminating() && !p.is(object) && !isRecord(object) {
			p.stays = append(p.stays, object)
		}
	}
}

// isContainer reports whether the target takes along all that is in it, or of it.
func (p *planner) isContainer() bool { return p.target.Is("", "Namespace") || p.isDefinition() }

func (p *planner) isDefinition() bool {
	return p.target.Is("apiextensions.k8s.io", "CustomResourceDefinition")
}

// leaving are the owners that are being deleted and have dependents which stay, if they are told to orphan them.
func (p *planner) leaving() (owners []*session.Object) {
	for _, owner := range p.going.Deleted {
		if owner.Terminating() && len(p.ownedBy(owner)) > 0 {
			owners = append(owners, owner)
		}
	}
	return owners
}

// ownedBy are the dependents of an owner that can stay. What is owned by these stays with them.
func (p *planner) ownedBy(owner *session.Object) (dependents []*session.Object) {
	for _, object := range p.stays {
		if slices.ContainsFunc(object.Meta.OwnerReferences, owns(owner)) {
			dependents = append(dependents, object)
		}
	}
	return dependents
}

// orphaned are the dependents whose owner is gone already, and that are still there.
func (p *planner) orphaned() (dependents []*session.Object) {
	if !p.gone {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.stays), func(object *session.Object) bool { return !names(object, p.target) })
}

// staysDetails are those of a step that keeps dependents of an owner.
func (p *planner) staysDetails(owner *session.Object, dependents []*session.Object) finding.RescueDetails {
	details := rescueOf(owner)
	details.Names, details.Count = named(dependents), len(dependents)
	return details
}

func owns(owner *session.Object) func(metav1.OwnerReference) bool {
	return func(reference metav1.OwnerReference) bool { return string(reference.UID) == owner.Ref.UID }
}
