package removal

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Run carries out a plan, guard by guard, and reports what was and what wasn't done. It stops at the first
// surprise. The report is true whatever happened; there is no error beside it.
func (r *Remover) Run(ctx context.Context, plan *Plan) *result.RemovalReport {
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
			later.end(result.NotDone,
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
	count := map[result.RemovalOutcome]int{}
	for _, one := range p.items {
		count[one.view.Outcome]++
	}
	all, first := len(p.items), p.items[0].ref()
	done := count[result.Gone] + count[result.NotNeeded] + count[result.Written]
	details := finding.RemovalDetails{Of: all, Count: done, Other: &first, Name: p.Report.DryRun}
	end := func(outcome result.RemovalOutcome, how finding.Finding) {
		how.Details = details
		p.Report.Outcome, p.Report.Summary = outcome, finding.Voice{}.Message(how)
	}
	switch {
	case !p.Report.Forced && p.refused():
		end(result.Planned, finding.Finding{Situation: "PlanRefused"})
	case !p.Report.Forced:
		end(result.Planned, finding.Finding{Situation: "PlanOnly"})
	case p.refused() && !p.wrote():
		p.Report.Refusing = p.refusal()
		details.Said = p.Report.Refusing.Why
		end(result.Refused, finding.Finding{Situation: "NothingRemoved"})
	case count[result.Planned] == all:
		end(result.Passed, finding.Finding{Situation: "DryRunPassed"})
	case done == all && count[result.Written] > 0:
		end(result.Written, finding.Finding{Situation: "WrittenOnly"})
	case done == all && p.wrote():
		end(result.Gone, finding.Finding{Situation: "CarriedOut"})
	case done == all:
		end(result.NotNeeded, finding.Finding{Situation: "NotNeeded"})
	case done+p.asPlanned() == all && all == 1:
		p.Report.Outcome, p.Report.Summary = result.StillHeld, p.items[0].view.Message
	case done+p.asPlanned() == all:
		end(result.StillHeld, finding.Finding{Situation: "AllAsPlanned"})
	default:
		details.Left, details.Count = count[result.NotDone], count[result.Gone]+count[result.NotNeeded]
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
func worst(count map[result.RemovalOutcome]int) result.RemovalOutcome {
	switch {
	case count[result.Unknown] > 0:
		return result.Unknown
	case count[result.Failed]+count[result.Refused] == 0 && count[result.StillHeld] > 0:
		return result.StillHeld
	}
	return result.Failed // also where a guard refused after the first write
}

func (p *Plan) broken() *item {
	failures := []result.RemovalOutcome{result.Unknown, result.Failed, result.Refused, result.StillHeld}
	for _, one := range p.items {
		if slices.Contains(failures, one.view.Outcome) {
			return one
		}
	}
	return nil
}

// wrote reports whether anything was changed, or may have been.
func (p *Plan) wrote() bool {
	return slices.ContainsFunc(p.items, func(i *item) bool { return i.view.Outcome == result.Unknown || i.wrote() })
}

func (p *Plan) refusal() *result.Guard {
	at := slices.IndexFunc(p.Report.Guards, func(guard result.Guard) bool { return !guard.Passed })
	return &p.Report.Guards[at]
}
