package preview

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// claimsLeft says which claims stay of the StatefulSets that go, unless these take their claims along, which is among
// what is lost.
func (c *cascade) claimsLeft(taken []finding.Taken) (left []finding.Taken) {
	for _, set := range c.deleted {
		if !set.Is("apps", "StatefulSet") || slices.ContainsFunc(taken, func(one finding.Taken) bool {
			return finding.Is(one.Situation, finding.TakesClaims) && one.Object.SameAs(set.Ref)
		}) {
			continue
		}
		isOfSet := loss.ClaimsOfSet(set, c.ofKind[set.Resource.QualifiedName()])
		var names []string
		for _, claim := range c.ofKind[cluster.PersistentVolumeClaims().QualifiedName()] {
			if isOfSet(claim.Ref.Namespace, claim.Ref.Name) && !c.goes(claim) {
				names = append(names, claim.Ref.Namespace+"/"+claim.Ref.Name)
			}
		}
		if len(names) > 0 {
			details := finding.TakenDetails{Names: names, Count: len(names)}
			left = append(left, finding.Taken{Situation: "ClaimsOfSetLeft", Object: set.Ref, Details: details})
		}
	}
	return left
}

// goes reports whether an object is being deleted, or is deleted along.
func (c *cascade) goes(object *session.Object) bool {
	_, deleted := c.states[object.Ref.UID]
	return deleted || object.Terminating()
}
