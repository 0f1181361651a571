package removal

import (
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// Run carries out a plan, guard by guard, and reports what was and what wasn't done. It stops at the first
// surprise. The report is true whatever happened; there is no error beside it.
func (r *Remover) Run(ctx context.Context, plan *Plan) *report.RemovalReport {
	r.run(ctx, plan)
	plan.publish()
	plan.conclude()
	report.Escape(plan.Report)
	return plan.Report
}

func (r *Remover) run(ctx context.Context, plan *Plan) {
	if !r.Options.Force {
		return
	}
	guard := r.told(plan)
	if plan.refused() { // it is shown all the same
		return
	}
	if plan.note(guard, nil); plan.refused() {
		return
	}
	if r.Options.DryRun != DryRunClient && !plan.noteTries() || r.Options.DryRun != "" {
		return
	}
	if plan.note(r.consent(ctx, plan), nil); plan.refused() {
		return
	}
	for _, one := range plan.items {
		if plan.note(r.saved(ctx, one), one); plan.refused() {
			return
		}
	}
	for number, one := range plan.items {
		r.progress("%d of %d: %s", number+1, len(plan.items), one.seen.object.Ref)
		if r.carryOut(ctx, plan, one) {
			continue
		}
		for _, later := range plan.items[number+1:] {
			later.view.Outcome = report.NotDone
			later.view.Message = fmt.Sprintf("Not come to, because of %s.", one.seen.object.Ref)
		}
		return
	}
}

// noteTries records what the plan's dry runs said.
func (p *Plan) noteTries() bool {
	for _, one := range p.items {
		for _, planned := range one.steps {
			p.note(tried(planned, planned.tryError), one)
		}
	}
	return !p.refused()
}

// conclude says in one word and one sentence what became of the whole.
func (p *Plan) conclude() {
	count := map[report.RemovalOutcome]int{}
	for _, one := range p.items {
		count[one.view.Outcome]++
	}
	all := len(p.items)
	done := count[report.Gone] + count[report.NotNeeded] + count[report.Written]
	left, without := "nothing is left of "+p.items[0].seen.object.Ref.String(), "the object is gone"
	if all > 1 {
		left, without = fmt.Sprintf("none of the %d objects is left", all), fmt.Sprintf("%d objects are gone", all)
	}
	outcome, summary := report.Planned, "This is a plan. Nothing was removed."
	switch {
	case !p.Report.Forced && p.refused():
		outcome, summary = report.Planned, "This is a plan, and it would be refused. Nothing was removed."
	case !p.Report.Forced:
	case p.refused() && !p.wrote():
		outcome, summary = report.Refused, p.refusal().Why+" Nothing was removed."
	case count[report.Planned] == all:
		outcome, summary = report.Passed, fmt.Sprintf("A dry run (%s): nothing stands in the way. Nothing was removed.", p.Report.DryRun)
	case done == all && count[report.Written] > 0:
		outcome, summary = report.Written, "The entries are removed; nobody waited for the end."
	case done == all && p.wrote():
		outcome, summary = report.Gone, "The plan is carried out, and "+left+"."
	case done == all:
		outcome, summary = report.NotNeeded, "Nothing was removed: "+without+" without it."
	case done+p.asPlanned() == all:
		outcome, summary = report.StillHeld, p.stillHeld(done)
	default:
		outcome, summary = p.worst(count), p.broken(count)
	}
	p.Report.Outcome, p.Report.Summary = outcome, summary
}

// asPlanned counts the items of which the plan said that something else would still hold them, and which was done.
func (p *Plan) asPlanned() (count int) {
	for _, one := range p.items {
		if one.asPlanned {
			count++
		}
	}
	return count
}

// stillHeld tells of a plan that is done, and of which the objects are not all gone, as it said.
func (p *Plan) stillHeld(gone int) string {
	if len(p.items) == 1 {
		return p.items[0].view.Message
	}
	return fmt.Sprintf("What was planned is done: %d of %d objects %s gone, and something else holds the others, as the plan said.", gone, len(p.items), toBe(gone, "is", "are"))
}

// worst is the outcome of a plan that was not carried through.
func (p *Plan) worst(count map[report.RemovalOutcome]int) report.RemovalOutcome {
	for _, outcome := range []report.RemovalOutcome{report.Unknown, report.Failed, report.Refused, report.StillHeld} {
		if count[outcome] > 0 {
			if outcome == report.Refused { // by a guard after the first write
				return report.Failed
			}
			return outcome
		}
	}
	return report.Failed
}

func (p *Plan) broken(count map[report.RemovalOutcome]int) string {
	first := slices.IndexFunc(p.items, func(one *item) bool {
		return slices.Contains([]report.RemovalOutcome{report.Unknown, report.Failed, report.Refused, report.StillHeld}, one.view.Outcome)
	})
	message := ""
	if first >= 0 {
		message = p.items[first].view.Message
	}
	if len(p.items) == 1 {
		return "Not carried through. " + message
	}
	gone, left := count[report.Gone]+count[report.NotNeeded], count[report.NotDone]
	return fmt.Sprintf("Not carried through: %d of %d objects %s gone, %d %s not come to. %s", gone, len(p.items), toBe(gone, "is", "are"), left, toBe(left, "was", "were"), message)
}

// toBe picks the verb for one or for several.
func toBe(count int, one, several string) string {
	if count == 1 {
		return one
	}
	return several
}

// wrote tells whether anything was changed, or may have been.
func (p *Plan) wrote() bool {
	return slices.ContainsFunc(p.items, func(one *item) bool {
		return one.view.Outcome == report.Unknown || slices.ContainsFunc(one.steps, func(s *step) bool { return s.view.Done })
	})
}

// refusal is the guard that refused first.
func (p *Plan) refusal() report.Guard {
	for _, guard := range p.Report.Guards {
		if !guard.Passed {
			return guard
		}
	}
	return report.Guard{}
}
