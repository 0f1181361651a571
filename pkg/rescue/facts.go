package rescue

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fact is something about an object, with its sentence.
func (p *planner) fact(note finding.Finding, risk finding.Risk) result.RescueFact {
	return result.RescueFact{
		Object: note.Object, Situation: note.Situation, Details: note.Details, Risk: risk, Message: p.voice.Message(note),
	}
}

// resultFact is a loss as a fact.
func resultFact(taken finding.Taken) result.RescueFact {
	return result.RescueFact{
		Object: taken.Object, Situation: taken.Situation, Details: taken.Details, Risk: taken.Risk, Message: taken.Message,
		Perhaps: taken.Details.May || taken.Details.Unread != nil,
	}
}

// lost notes what can't be kept, or perhaps not.
func (p *planner) lost(note finding.Finding, risk finding.Risk, perhaps bool) {
	fact := p.fact(note, risk)
	fact.Perhaps = perhaps
	p.plan.Lost = append(p.plan.Lost, fact)
}

// safe notes what stays without a step.
func (p *planner) safe(note finding.Finding) {
	p.plan.Safe = append(p.plan.Safe, p.fact(note, finding.NoRisk))
}

// step is a step with its sentences.
func (p *planner) step(remedy finding.Remedy, commands ...finding.Command) result.RescueStep {
	said := p.voice.Remedies([]finding.Remedy{remedy})[0]
	return result.RescueStep{Step: remedy.Step, Action: said.Action, Costs: said.Loses, Commands: commands}
}

func (p *planner) stop(remedy finding.Remedy, commands ...finding.Command) {
	p.plan.Stop = append(p.plan.Stop, p.step(remedy, commands...))
}

func (p *planner) back(remedy finding.Remedy, commands ...finding.Command) {
	p.plan.Return = append(p.plan.Return, p.step(remedy, commands...))
}

// rescueOf are the details of what is about one object.
func rescueOf(object *session.Object) finding.RescueDetails {
	return finding.RescueDetails{Object: &object.Ref}
}

// named are the names of objects: of those in no namespace, their own alone.
func named(objects []*session.Object) []string {
	return finding.Each(objects, func(object *session.Object) string { return object.Ref.String() })
}
