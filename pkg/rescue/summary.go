package rescue

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// sumUp decides the outcome, and puts the sentence together that answers.
func (p *planner) sumUp() {
	details := finding.RescueSummary{
		Asked: p.asked, Gone: p.gone, Untraced: p.untraced(),
		Steps: len(p.plan.Stop), Safe: len(p.plan.Safe), Stays: len(p.stays),
		Recreate: len(p.files), Unread: len(p.plan.Unreadable) > 0,
		Released: p.released,
	}
	if p.target.Terminating() {
		at := result.InSeconds(p.target.RequestedAt())
		p.plan.RequestedAt, details.Since = &at, at
	}
	for _, fact := range p.plan.Lost {
		if fact.Risk == finding.DataLoss {
			details.Lost++
		}
		if fact.Risk == finding.DataLoss && fact.Perhaps {
			details.Perhaps++
		}
	}
	for _, found := range p.volumes {
		if !found.absent() {
			details.Volumes = append(details.Volumes, found.object.Ref.Name)
		}
	}
	for _, found := range p.outside {
		if found.way != noWay && !slices.Contains(details.Outside, found.object.Ref) {
			details.Outside = append(details.Outside, found.object.Ref)
		}
	}
	p.plan.Outcome = p.outcome(details)
	answer := finding.Finding{Object: p.target.Ref, Details: details}
	switch p.plan.Outcome {
	case result.NotDeleted:
		answer.Situation = "NothingToRescue"
	case result.CanBeKept:
		answer.Situation = "AllCanBeKept"
	case result.PartlyLost:
		answer.Situation = "SomeCanBeKept"
	case result.AllLost:
		answer.Situation = "NothingCanBeKept"
	case result.NoData:
		answer.Situation = "NoDataGoes"
	default:
		answer.Situation = "RescueNotClear"
	}
	p.plan.Summary = p.voice.Message(answer)
}

// outcome says in a word what can be kept.
func (p *planner) outcome(details finding.RescueSummary) result.Rescuable {
	claims := (&setSearch{p}).keptClaims()
	keeps := len(details.Volumes)+len(details.Outside)+details.Stays+len(p.unsavedSecrets())+len(claims) > 0
	switch {
	case !p.gone && !p.target.Terminating() && len(p.volumes) == 0:
		return result.NotDeleted
	case details.Unread && !keeps:
		return result.NotClear
	case details.Lost > 0 && keeps, keeps && details.Unread:
		return result.PartlyLost
	case keeps:
		return result.CanBeKept
	case details.Lost > 0:
		return result.AllLost
	}
	return result.NoData
}
