package removal

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// chosen returns the holds to remove: the ones that were named, or else the ones whose controller is proven to be
// missing. Nothing else is removed without its name. A grace period is never removed.
func (r *Remover) chosen(seen *look) []finding.Hold {
	return slices.DeleteFunc(seen.object.Holds(), func(hold finding.Hold) bool {
		named := func(name string) bool { return means(name, hold) }
		missing := func(cause result.RootCause) bool {
			proven := cause.Reason == finding.ControllerMissing && cause.Certainty == finding.Proven
			return proven && seen.justifies(cause, hold)
		}
		if len(r.Options.Finalizers) > 0 {
			return !slices.ContainsFunc(r.Options.Finalizers, named)
		}
		return hold.Type == finding.GracePeriod || !slices.ContainsFunc(seen.diagnosis.RootCauses, missing)
	})
}

// means reports whether a name that was given is that of a hold. spec:NAME is how tables name an entry of a Namespace's
// spec.finalizers, and no finalizer can have this name.
func means(name string, hold finding.Hold) bool {
	return hold.Type != finding.GracePeriod && name == hold.Name ||
		hold.Type == finding.SpecFinalizer && name == "spec:"+hold.Name
}

// unheld returns the names that no object of a plan for several is held by: slips of the finger.
func (r *Remover) unheld(plan *Plan) (names []string) {
	for _, name := range r.Options.Finalizers {
		named := func(hold finding.Hold) bool { return means(name, hold) }
		held := func(one *item) bool { return slices.ContainsFunc(one.entries, named) }
		if r.targets > 1 && !slices.ContainsFunc(plan.items, held) {
			names = append(names, name)
		}
	}
	return names
}

// meant returns the holds that were probably meant by names that aren't theirs.
func meant(names []string, holds []finding.Hold) (near []string) {
	const most = 3
	theirs := finding.Each(holds, func(hold finding.Hold) string { return hold.Name })
	for _, name := range names {
		near = union(near, spelling.Near(most, name, theirs)...)
	}
	return near
}

func (r *Remover) entry(
	ctx context.Context, around *mechanism.Tools, seen *look, hold finding.Hold,
) result.RemovalEntry {
	lost := loses(ctx, r.Plugins, around, seen, hold)
	entry := result.RemovalEntry{
		Hold: hold, Times: 1, Why: []string{}, Loses: lost.texts, LossKeys: lost.keys, LossKinds: lost.kinds,
	}
	if hold.Type == finding.Finalizer {
		entry.Times = 0
		for _, name := range seen.object.Meta.Finalizers {
			if name == hold.Name {
				entry.Times++
			}
		}
	}
	for _, objection := range seen.objections(hold) {
		objection.Overridden = slices.Contains(r.Options.Overrides, objection.Code)
		entry.Objected = append(entry.Objected, objection)
	}
	objected := map[finding.Reason]bool{}
	for _, cause := range seen.about(hold).causes {
		why := string(cause.Reason)
		if cause.Certainty != finding.Unknown { // the reason says that itself
			why += " (" + strings.ToLower(string(cause.Certainty)) + ")"
		}
		entry.Why = append(entry.Why, why+": "+cause.Message)
		objects := !seen.justifies(cause, hold)
		if objects && !objected[cause.Reason] { // the first of a reason is the objection
			objected[cause.Reason] = true
			continue
		}
		if !objects && len(seen.stopped[hold]) > 0 {
			continue // it would object, if it had looked at more kinds of workloads
		}
		entry.Beside = append(entry.Beside, result.CauseOfEntry{
			Reason: cause.Reason, Certainty: cause.Certainty, Message: cause.Message, Objects: objects,
		})
	}
	entry.Justified = len(entry.Objected) == 0
	return entry
}

// command is what carries a plan for one object out without a terminal.
func (r *Remover) command(one *item, token string) finding.Command {
	flags := append(overrides(codes(one)), "--confirm", token)
	return r.kubectl().Remove(one.seen.object, one.names(), flags...)
}

func codes(one *item) (codes []string) {
	for _, entry := range one.view.Entries {
		for _, objection := range entry.Objected {
			codes = union(codes, objection.Code)
		}
	}
	return codes
}

// lookForStopped looks for a controller that may only be scaled to 0, of any kind, before finalizers are removed that
// the user did not name: the diagnosis looks for StatefulSets and others only where something leads to them.
func (r *Remover) lookForStopped(ctx context.Context, around *mechanism.Tools, one *item) {
	if len(r.Options.Finalizers) > 0 || len(one.entries) == 0 {
		return
	}
	one.seen.stopped = map[finding.Hold][]finding.Ref{}
	for _, hold := range one.entries {
		one.seen.stopped[hold], one.seen.workloadsUnread = around.Attribution.Stopped(ctx, one.seen.object, hold)
	}
}
