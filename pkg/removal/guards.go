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

func refuse(number int, name, why, satisfy string) report.Guard {
	return report.Guard{Number: number, Name: name, Why: why, Satisfy: satisfy}
}

// terminating is the first guard: a controller sets its finalizer again on an object that lives
// (deletion-mechanics C.4).
func terminating(one *item) report.Guard {
	const name = "Terminating"
	if !one.seen.object.Terminating() {
		return refuse(guardTerminating, name, fmt.Sprintf("%s is not being deleted: nobody has asked for that, and its finalizers do their work.", one.seen.object.Ref),
			"delete it first, and ask why if it does not go")
	}
	return passed(guardTerminating, name)
}

// named is the first half of the second guard: never more is removed than was named.
func (r *Remover) named(one *item) report.Guard {
	const name = "Named"
	if !one.seen.object.Terminating() {
		return refuse(guardNamed, name, "Nothing was looked at that could be removed.", "delete it first")
	}
	holds, wanted := one.seen.object.Holds(), r.Options.Finalizers
	var held, missing []string
	for _, hold := range holds {
		if hold.Type == finding.GracePeriod {
			held = append(held, "its grace period")
			continue
		}
		held = append(held, hold.Name)
	}
	for _, finalizer := range wanted {
		if !slices.ContainsFunc(holds, func(hold finding.Hold) bool { return means(finalizer, hold) }) {
			missing = append(missing, finalizer)
		}
	}
	now := "nothing any more"
	if len(held) > 0 {
		now = strings.Join(held, ", ")
	}
	switch {
	case len(wanted) == 0 && len(one.entries) == 0:
		return refuse(guardNamed, name, fmt.Sprintf("No finalizer is named, and the diagnosis calls none of them ControllerMissing. %s is held by %s.", one.seen.object.Ref, now),
			"name what to remove with --finalizer")
	case len(one.entries) == 0, len(missing) > 0 && r.targets == 1: // of several objects, each needs one of the names
		return refuse(guardNamed, name, fmt.Sprintf("%s is not held by %s, but by %s.", one.seen.object.Ref, strings.Join(missing, ", "), now),
			"name entries that it has")
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
	var why []string
	for _, entry := range one.view.Entries {
		for _, objection := range entry.Objected {
			if !objection.Overridden {
				why = append(why, fmt.Sprintf("%s, about %s: %s", objection.Code, entry.Name, objection.Message))
			}
		}
	}
	satisfy := remedyOf(open) + "; or, if you know better, set exactly that aside with"
	for _, code := range open {
		satisfy += " --override " + code
	}
	return refuse(guardNamed, name, "The diagnosis speaks against it. "+strings.Join(why, " "), satisfy)
}

// remedyOf says what to do about objections with some codes.
func remedyOf(codes []string) string {
	var does []string
	for _, code := range codes {
		do := "mend that"
		switch code {
		case string(report.Progressing):
			do = "wait until that is over"
		case string(report.Undetermined), string(finding.ControllerUnknown):
			do = "find out what could not be told"
		}
		if !slices.Contains(does, do) {
			does = append(does, do)
		}
	}
	return strings.Join(does, ", and ")
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
			idle = append(idle, "--override "+code)
		}
	}
	if len(idle) == 0 {
		return passed(guardNamed, name)
	}
	return refuse(guardNamed, name, fmt.Sprintf("Nothing of the kind speaks against it: %s sets nothing aside.", strings.Join(idle, " ")), "leave that out, and name what does speak against it, if anything")
}

// told is the third guard: what will be lost stands before whoever consents.
func (r *Remover) told(plan *Plan) report.Guard {
	const name = "Told"
	if err := r.Tell(plan); err != nil {
		return refuse(guardTold, name, fmt.Sprintf("What will be lost could not be shown: %v.", err), "let the plan be printed")
	}
	return passed(guardTold, name)
}

// consent is the fourth guard: the token of exactly this plan, or a name typed on a terminal.
func (r *Remover) consent(ctx context.Context, plan *Plan) report.Guard {
	const name = "Consent"
	token := plan.Report.Token
	switch given := r.Options.Confirm; {
	case given != "" && given == token:
		return passed(guardConsent, name)
	case given != "":
		return refuse(guardConsent, name, fmt.Sprintf("The token %s is not this plan's: something has changed since, or it was another plan's.", given),
			"read the plan above, and confirm it with --confirm "+token)
	case r.Ask == nil:
		return refuse(guardConsent, name, "There is no terminal to ask on, and no token.", "read the plan, and confirm it with --confirm "+token)
	}
	want, what := plan.items[0].seen.object.Ref.Name, "the name of the object"
	if len(plan.items) > 1 {
		want, what = strconv.Itoa(len(plan.items)), "the number of objects"
	}
	typed, err := r.Ask(ctx, fmt.Sprintf("To remove this by force, type %s (%s): ", what, report.EscapeText(want)))
	switch {
	case err != nil:
		return refuse(guardConsent, name, fmt.Sprintf("Nobody consented: %v.", err), "type "+what)
	case !slices.Contains([]string{strings.TrimSpace(want), report.EscapeText(strings.TrimSpace(want))}, strings.TrimSpace(typed)): // as it is, or as it was shown
		return refuse(guardConsent, name, fmt.Sprintf("What was typed is not %s.", what), "type "+what+" exactly")
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
		return refuse(guardUnchanged, "Unchanged", fmt.Sprintf("%s has changed since the plan was made.", one.seen.object.Ref), "look at the plan anew")
	case err != nil:
		return refuse(guardSaved, name, fmt.Sprintf("%s could not be saved: %v.", one.seen.object.Ref, err), "make room, or name another folder with --backup-dir")
	}
	one.view.Backup = backup
	return passed(guardSaved, name)
}

// tried is the sixth guard: the server lets exactly this write through, as a dry run.
func tried(planned *step, err error) report.Guard {
	const name = "DryRun"
	switch {
	case err == nil:
		return passed(guardTried, name)
	case errors.As(err, new(*deviation)):
		return refuse(guardTried, name, fmt.Sprintf("The dry run passed, and not as it was sent: %v.", err), "mend or remove what changes the write")
	case apierrors.IsConflict(err):
		return refuse(guardTried, name, "The dry run conflicts: the object has changed since it was looked at.", "look at the plan anew")
	case rights(err):
		return refuse(guardTried, name, fmt.Sprintf("You may not do that: %v.", err), "the right to "+planned.right())
	}
	return refuse(guardTried, name, fmt.Sprintf("The dry run was refused: %v.", err), "mend what refuses the write; kubectl finalizers why --probe tells more")
}

// rights tells whether RBAC refused, which says so in these words. Admission refuses with the same code.
func rights(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), " cannot ") && strings.Contains(err.Error(), " resource ")
}

// unchanged is the seventh guard: a diagnosis right before the write says what the plan said. Only what the
// plan itself has removed may be missing, from this object or from those that it waited for.
func (r *Remover) unchanged(one *item, planned *step, now *look, ownWrite string) report.Guard {
	const name = "Unchanged"
	before := one.seen
	different := func(what string) report.Guard {
		return refuse(guardUnchanged, name, fmt.Sprintf("%s is not as it was shown: %s.", before.object.Ref, what), "look at the plan anew")
	}
	added, gone := now.newSince(before), now.goneSince(before)
	version, was := now.object.Meta.ResourceVersion, before.object.Meta.ResourceVersion
	own := ownWrite != "" || len(one.awaits) > 0
	switch {
	case now.object.Ref.UID != before.object.Ref.UID:
		return different("another object stands under its name")
	case len(added) > 0:
		return different("now " + some(added, 3))
	case !own && len(gone) > 0:
		return different("no longer " + some(gone, 3))
	case !own && now.diagnosis.Verdict != before.diagnosis.Verdict:
		return different(fmt.Sprintf("the diagnosis says %s, and said %s", now.diagnosis.Verdict, before.diagnosis.Verdict))
	case !own && version != was:
		return different(fmt.Sprintf("its resourceVersion is %s, and was %s", version, was))
	case ownWrite != "" && version != ownWrite:
		return different(fmt.Sprintf("somebody else has written to it: its resourceVersion is %s, and was %s", version, ownWrite))
	}
	for _, hold := range planned.holds {
		for _, objection := range now.objections(hold) {
			if !slices.Contains(r.Options.Overrides, objection.Code) {
				return different(fmt.Sprintf("the diagnosis now speaks against it, %s: %s", objection.Code, strings.TrimSuffix(objection.Message, ".")))
			}
		}
	}
	return passed(guardUnchanged, name)
}
