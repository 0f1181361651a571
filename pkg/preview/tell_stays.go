package preview

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addStays adds the dependents that are not deleted with their owners.
func (p *previewer) addStays() {
	places := map[string]int{}
	for _, stay := range p.cascade.stays {
		staying := result.Staying{Why: result.Orphaned}
		switch {
		case stay.outcome == ownership.Kept:
			staying.Why = result.KeptByOwner
		case stay.outcome == ownership.Undecidable:
			staying.Why = result.NotCollected
		case stay.outcome != "":
			staying.Why = result.OwnerNotRead
		}
		if stay.decisive != nil {
			owner := stay.decisive.Named()
			if stay.decisive.Owner != nil {
				owner = stay.decisive.Owner.Ref
			}
			staying.Owner = &owner
		}
		key := finding.KeyOf(staying.Why, staying.Owner, stay.object.Resource.QualifiedName())
		at, known := places[key]
		if !known {
			at = len(p.result.Stays)
			places[key] = at
			p.result.Stays = append(p.result.Stays, staying)
		}
		p.result.Stays[at].Objects = append(p.result.Stays[at].Objects, stay.object.Ref)
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
	cause := finding.Finding{Details: finding.StayingDetails{Objects: stays.Objects, Owner: stays.Owner}}
	switch stays.Why {
	case result.KeptByOwner:
		cause.Situation = "StaysWithOtherOwner"
	case result.Orphaned:
		cause.Situation = "StaysOrphaned"
	case result.NotCollected:
		cause.Situation = "StaysUncollected"
	default:
		cause.Situation = "StaysPerhaps"
	}
	return p.voice.Message(cause)
}

// addCreatedAgain notes which GitOps tools may create the target again, or that its kubelet does.
func addCreatedAgain(p *previewer) {
	for _, mirror := range mechanism.Mirror(p.target) {
		p.note(mirror)
	}
	if appliers := session.AppliersOf(p.target); len(appliers) > 0 {
		p.note(finding.Finding{
			Situation: "AppliedAgain", Object: p.target.Ref, Details: finding.StopDetails{Appliers: appliers},
		})
	}
}
