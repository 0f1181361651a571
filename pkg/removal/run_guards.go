package removal

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// Run carries out a plan, guard by guard, and reports what was and what wasn't done. It stops at the first
// surprise. The report is true whatever happened; there is no error beside it.
func (r *Remover) Run(ctx context.Context, plan *Plan) *report.RemovalReport {
	r.run(ctx, plan)
	plan.publish()
	plan.conclude()
	return plan.Report
}

func (r *Remover) run(ctx context.Context, plan *Plan) {
	if !r.Options.Force {
		return
	}
	unshown := told(r.Tell, plan)
	if plan.refused() || !plan.note(guardShown, unshown, nil) { // a refused plan is shown all the same
		return
	}
	if r.Options.DryRun != DryRunClient && !plan.noteTries() || r.Options.DryRun != "" {
		return
	}
	if !plan.note(guardConsent, r.consent(ctx, plan), nil) {
		return
	}
	for _, one := range plan.items {
		if guard, refused := r.saved(ctx, one); !plan.note(guard, refused, one) {
			return
		}
	}
	for number, one := range plan.items {
		progress(r.Progress, "%d of %d: %s", number+1, len(plan.items), one.seen.object.Ref)
		if r.carryOut(ctx, plan, one) {
			continue
		}
		for _, later := range plan.items[number+1:] {
			ref := one.ref()
			later.end(report.NotDone,
				finding.Finding{Situation: "NotComeTo", Details: finding.RemovalDetails{Other: &ref}})
		}
		return
	}
}

func (p *Plan) noteTries() bool {
	for _, one := range p.items {
		for _, planned := range one.steps {
			p.note(guardTried, tried(planned), one)
		}
	}
	return !p.refused()
}

func (p *Plan) conclude() {
	count := map[report.RemovalOutcome]int{}
	for _, one := range p.items {
		count[one.view.Outcome]++
	}
	all, first := len(p.items), p.items[0].ref()
	done := count[report.Gone] + count[report.NotNeeded] + count[report.Written]
	details := finding.RemovalDetails{Of: all, Count: done, Other: &first, Name: p.Report.DryRun}
	end := func(outcome report.RemovalOutcome, how finding.Finding) {
		how.Details = details
		p.Report.Outcome, p.Report.Summary = outcome, finding.Voice{}.Message(how)
	}
	switch {
	case !p.Report.Forced && p.refused():
		end(report.Planned, finding.Finding{Situation: "PlanRefused"})
	case !p.Report.Forced:
		end(report.Planned, finding.Finding{Situation: "PlanOnly"})
	case p.refused() && !p.wrote():
		p.Report.Refusing = p.refusal()
		details.Said = p.Report.Refusing.Why
		end(report.Refused, finding.Finding{Situation: "NothingRemoved"})
	case count[report.Planned] == all:
		end(report.Passed, finding.Finding{Situation: "DryRunPassed"})
	case done == all && count[report.Written] > 0:
		end(report.Written, finding.Finding{Situation: "WrittenOnly"})
	case done == all && p.wrote():
		end(report.Gone, finding.Finding{Situation: "CarriedOut"})
	case done == all:
		end(report.NotNeeded, finding.Finding{Situation: "NotNeeded"})
	case done+p.asPlanned() == all && all == 1:
		p.Report.Outcome, p.Report.Summary = report.StillHeld, p.items[0].view.Message
	case done+p.asPlanned() == all:
		end(report.StillHeld, finding.Finding{Situation: "AllAsPlanned"})
	default:
		details.Left, details.Count = count[report.NotDone], count[report.Gone]+count[report.NotNeeded]
		if broken := p.broken(); broken != nil {
			details.Said, p.Report.Refusing = broken.view.Message, broken.refusedBy
		}
		end(worst(count), finding.Finding{Situation: "Broken"})
	}
}

// asPlanned counts the items that something else still holds, as the plan said, and that were done.
func (p *Plan) asPlanned() (count int) {
	for _, one := range p.items {
		if one.asPlanned {
			count++
		}
	}
	return count
}

// worst is the outcome of a plan that was not carried through.
func worst(count map[report.RemovalOutcome]int) report.RemovalOutcome {
	switch {
	case count[report.Unknown] > 0:
		return report.Unknown
	case count[report.Failed]+count[report.Refused] == 0 && count[report.StillHeld] > 0:
		return report.StillHeld
	}
	return report.Failed // also where a guard refused after the first write
}

func (p *Plan) broken() *item {
	failures := []report.RemovalOutcome{report.Unknown, report.Failed, report.Refused, report.StillHeld}
	for _, one := range p.items {
		if slices.Contains(failures, one.view.Outcome) {
			return one
		}
	}
	return nil
}

// wrote reports whether anything was changed, or may have been.
func (p *Plan) wrote() bool {
	return slices.ContainsFunc(p.items, func(i *item) bool { return i.view.Outcome == report.Unknown || i.wrote() })
}

func (p *Plan) refusal() *report.Guard {
	at := slices.IndexFunc(p.Report.Guards, func(guard report.Guard) bool { return !guard.Passed })
	return &p.Report.Guards[at]
}
