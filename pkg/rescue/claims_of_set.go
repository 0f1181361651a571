package rescue

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// setSearch finds the claims of a target that is a StatefulSet.
type setSearch struct{ p *planner }

// findClaims finds the claims of a StatefulSet that is being deleted, or is gone, among what is in its namespace.
func (s *setSearch) findClaims(listed []*session.Object) {
	if !s.p.target.Is("apps", "StatefulSet") {
		return
	}
	s.p.isOfSet = loss.ClaimsOfSet(s.p.target, listed)
	for _, object := range listed {
		if object.Is("", "PersistentVolumeClaim") && s.p.isOfSet(object.Ref.Namespace, object.Ref.Name) {
			s.p.claims = append(s.p.claims, object)
		}
	}
}

// goingClaims are the claims of the StatefulSet that were deleted like it.
func (s *setSearch) goingClaims() []*session.Object {
	return slices.DeleteFunc(slices.Clone(s.p.claims), func(claim *session.Object) bool { return !claim.Terminating() })
}

// keptClaims are the claims of the StatefulSet that nothing deletes.
func (s *setSearch) keptClaims() []*session.Object {
	return slices.DeleteFunc(slices.Clone(s.p.claims), func(claim *session.Object) bool {
		return claim.Terminating() || s.p.goes(claim)
	})
}

// tellKeptClaims says which claims of the StatefulSet stay.
func (s *setSearch) tellKeptClaims() {
	kept := s.keptClaims()
	if len(kept) == 0 {
		return
	}
	details := rescueOf(s.p.target)
	details.Count = len(kept)
	details.Names = finding.Each(kept, func(claim *session.Object) string {
		return claim.Ref.Namespace + "/" + claim.Ref.Name
	})
	s.p.safe(finding.Finding{Situation: "ClaimsOfSetStay", Object: kept[0].Ref, Details: details})
}
