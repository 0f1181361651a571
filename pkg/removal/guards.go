package removal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// The guards in their order. Each is a small function that passes, or refuses with the reason and with
// what would satisfy it.
const (
	guardTerminating = 1 // it is being deleted
	guardNamed       = 2 // the entries are named, and the diagnosis doesn't speak against it
	guardTold        = 3 // what is lost was shown
	guardConsent     = 4
	guardSaved       = 5
	guardTried       = 6 // the very same write passes as a dry run
	guardUnchanged   = 7 // a second diagnosis says the same
)

func passed(number int, name string) report.Guard {
	return report.Guard{Number: number, Name: name, Passed: true}
}

func refuse(number int, name string, why finding.Finding) report.Guard {
	return report.RefusingGuard(number, name, why)
}

// terminating is the first guard: a controller sets its finalizer again on an object that lives
// (deletion-mechanics C.4).
func terminating(one *item) report.Guard {
	const name = "Terminating"
	if !one.seen.object.Terminating() {
		return refuse(guardTerminating, name, finding.Finding{Situation: "NobodyDeletedIt", Object: one.ref()})
	}
	return passed(guardTerminating, name)
}

// named is the first half of the second guard: never more is removed than was named.
func (r *Remover) named(one *item) report.Guard {
	const name = "Named"
	if !one.seen.object.Terminating() {
		return refuse(guardNamed, name, finding.Finding{Situation: "NothingLookedAt"})
	}
	details := finding.RemovalDetails{Holds: one.seen.object.Holds()}
	for _, finalizer := range r.Options.Finalizers {
		if !slices.ContainsFunc(details.Holds, func(hold finding.Hold) bool { return means(finalizer, hold) }) {
			details.Names = append(details.Names, finalizer)
		}
	}
	switch {
	case len(r.Options.Finalizers) == 0 && len(one.entries) == 0:
		return refuse(guardNamed, name, finding.Finding{Situation: "NoFinalizerNamed", Object: one.ref(), Details: details})
	// of several objects, each needs one of the names
	case len(one.entries) == 0, len(details.Names) > 0 && r.targets == 1:
		return refuse(guardNamed, name, finding.Finding{Situation: "NotHeldByThese", Object: one.ref(), Details: details})
	}
	return passed(guardNamed, name)
}

// justified is the other half of the second guard: what speaks against it is set aside by its name.
func justified(one *item) report.Guard {
	const name = "Justified"
	open := codes(one, func(objection report.Objection) bool { return !objection.Overridden })
	if len(open) == 0 {
		return passed(guardNamed, name)
	}
	details := finding.RemovalDetails{Codes: open, Does: satisfying(open)}
	for _, entry := range one.view.Entries {
		for _, objection := range entry.Objected {
			if !objection.Overridden {
				against := finding.Against{Code: objection.Code, Entry: entry.Name, Message: objection.Message}
				details.Against = append(details.Against, against)
			}
		}
	}
	return refuse(guardNamed, name, finding.Finding{Situation: "DiagnosisObjects", Details: details, Object: one.ref()})
}

// satisfying are what to do about objections with some codes.
func satisfying(codes []string) (does []string) {
	for _, code := range codes {
		do := "Mend"
		switch code {
		case string(report.Progressing):
			do = "Wait"
		case string(report.Undetermined), string(finding.ControllerUnknown):
			do = "FindOut"
		}
		if !slices.Contains(does, do) {
			does = append(does, do)
		}
	}
	return does
}

// exact is the last part of the second guard: what is set aside stands in this plan. Codes that are given in
// advance, for whatever may turn up, name no reason.
func (r *Remover) exact(plan *Plan) report.Guard {
	const name = "Justified"
	var idle []string
	for _, code := range r.Options.Overrides {
		if !slices.ContainsFunc(plan.items, func(one *item) bool {
			return slices.Contains(codes(one, func(report.Objection) bool { return true }), code)
		}) {
			idle = append(idle, code)
		}
	}
	if len(idle) == 0 {
		return passed(guardNamed, name)
	}
	return refuse(guardNamed, name, finding.Finding{
		Situation: "NothingToSetAside", Details: finding.RemovalDetails{Codes: idle},
	})
}

// told is the third guard: what will be lost stands before whoever consents.
func (r *Remover) told(plan *Plan) report.Guard {
	const name = "Told"
	if err := r.Tell(plan); err != nil {
		return refuse(guardTold, name, finding.Finding{
			Situation: "LossesNotShown", Details: finding.RemovalDetails{Said: err.Error()},
		})
	}
	return passed(guardTold, name)
}

// consent is the fourth guard: the token of exactly this plan, or a name typed on a terminal.
func (r *Remover) consent(ctx context.Context, plan *Plan) report.Guard {
	const name = "Consent"
	token, several := plan.Report.Token, len(plan.items) > 1
	details := finding.RemovalDetails{Token: token, Name: r.Options.Confirm, Several: several}
	switch {
	case r.Options.Confirm != "" && r.Options.Confirm == token:
		return passed(guardConsent, name)
	case r.Options.Confirm != "":
		return refuse(guardConsent, name, finding.Finding{Situation: "WrongToken", Details: details})
	case r.Ask == nil:
		return refuse(guardConsent, name, finding.Finding{Situation: "NobodyToAsk", Details: details})
	}
	want, what := plan.items[0].ref().Name, "the name of the object"
	if several {
		want, what = strconv.Itoa(len(plan.items)), "the number of objects"
	}
	typed, err := r.Ask(ctx, fmt.Sprintf("To remove this by force, type %s (%s): ", what, report.EscapeText(want)))
	if err != nil {
		details.Said = err.Error()
		return refuse(guardConsent, name, finding.Finding{Situation: "NobodyConsented", Details: details})
	}
	want = strings.TrimSpace(want)
	shown := report.EscapeText(want)
	if typed = strings.TrimSpace(typed); typed != want && typed != shown {
		return refuse(guardConsent, name, finding.Finding{Situation: "WrongConsent", Details: details})
	}
	return passed(guardConsent, name)
}

// saved is the fifth guard: the object as it stood is in a file.
func (r *Remover) saved(ctx context.Context, one *item) report.Guard {
	const name = "Saved"
	backup, err := r.save(ctx, one)
	switch {
	case (errors.Is(err, errChanged) || apierrors.IsNotFound(err)) && r.vanished(ctx, one):
		return passed(guardSaved, name) // there is nothing to save any more, and nothing to write to
	case errors.Is(err, errChanged):
		return refuse(guardUnchanged, "Unchanged", finding.Finding{Situation: "ChangedSincePlan", Object: one.ref()})
	case err != nil:
		return refuse(guardSaved, name, finding.Finding{
			Situation: "NotSaved", Object: one.ref(), Details: finding.RemovalDetails{Said: err.Error()},
		})
	}
	one.view.Backup = backup
	return passed(guardSaved, name)
}

// tried is the sixth guard: the server lets exactly this write through, as a dry run.
func tried(planned *step, err error) report.Guard {
	const name = "DryRun"
	if err == nil {
		return passed(guardTried, name)
	}
	details := finding.RemovalDetails{Said: err.Error(), Right: planned.right()}
	refused := finding.Finding{Situation: "DryRunRefused", Details: details}
	switch {
	case errors.As(err, new(*deviation)):
		refused.Situation = "DryRunDeviates"
	case apierrors.IsConflict(err):
		refused.Situation = "DryRunConflicts"
	case rights(err):
		refused.Situation = "DryRunForbidden"
	}
	return refuse(guardTried, name, refused)
}

// rights tells whether RBAC refused, which says so in these words. Admission refuses with the same code.
func rights(err error) bool {
	return apierrors.IsForbidden(
		err,
	) && strings.Contains(err.Error(), " cannot ") && strings.Contains(err.Error(), " resource ")
}
