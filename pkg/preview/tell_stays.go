package preview

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// addStays adds the dependents that are not deleted with their owners.
func (p *previewer) addStays() {
	places := map[string]int{}
	for _, one := range p.cascade.stays {
		staying := result.Staying{Why: result.Orphaned}
		switch {
		case one.outcome == ownership.Kept:
			staying.Why = result.KeptByOwner
		case one.outcome == ownership.Undecidable:
			staying.Why = result.NotCollected
		case one.outcome != "":
			staying.Why = result.OwnerNotRead
		}
		if one.decisive != nil {
			owner := one.decisive.Named()
			if one.decisive.Owner != nil {
				owner = one.decisive.Owner.Ref
			}
			staying.Owner = &owner
		}
		key := finding.KeyOf(staying.Why, staying.Owner, one.object.Resource.QualifiedName())
		at, known := places[key]
		if !known {
			at = len(p.result.Stays)
			places[key] = at
			p.result.Stays = append(p.result.Stays, staying)
		}
		p.result.Stays[at].Objects = append(p.result.Stays[at].Objects, one.object.Ref)
	}
	for i := range p.result.Stays {
		stays := &p.result.Stays[i]
		slices.SortFunc(stays.Objects, finding.Compare)
		stays.Message = p.tellStaying(*stays)
	}
	slices.SortFunc(p.result.Stays, func(a, b result.Staying) int {
		return cmp.Or(cmp.Compare(a.Why, b.Why), finding.Compare(a.Objects[0], b.Objects[0]))
	})
}

func (p *previewer) tellStaying(stays result.Staying) string {
	told := finding.Finding{Details: finding.StayingDetails{Objects: stays.Objects, Owner: stays.Owner}}
	switch stays.Why {
	case result.KeptByOwner:
		told.Situation = "StaysWithOtherOwner"
	case result.Orphaned:
		told.Situation = "StaysOrphaned"
	case result.NotCollected:
		told.Situation = "StaysUncollected"
	default:
		told.Situation = "StaysPerhaps"
	}
	return p.voice.Message(told)
}
