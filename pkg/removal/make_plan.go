package removal

import (
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Plan is what would be removed, and everything to know before consent.
type Plan struct {
	voice  finding.Voice
	items  []*item
	Report *result.RemovalReport // the plan as it is shown, and later what was done
}

type item struct {
	target    session.Target
	seen      *look // when the plan was made, and after own writes
	entries   []finding.Hold
	steps     []*step
	awaits    []*item // the ones that this one waits for: what they leave behind changes it
	asPlanned bool    // all was done, and what holds the object now is what the plan left
	refusedBy *result.Guard
	warned    []string // what the warnings are about, but for the object
	voice     finding.Voice
	view      *result.Removal
}

func (i *item) ref() finding.Ref { return i.seen.object.Ref }

// TargetError is an error about one target, which could not be looked at.
type TargetError struct {
	Target session.Target
	Err    error
}

// Error implements error.
func (e *TargetError) Error() string {
	return fmt.Sprintf("%s/%s: %v", e.Target.Resource.QualifiedName(), e.Target.Name, e.Err)
}

// Unwrap returns the error itself.
func (e *TargetError) Unwrap() error { return e.Err }

// Plan looks at the targets and says what would be removed. The only requests that it sends beside
// reads are dry runs of the writes, unless those are to be left out. There is no plan where every target is left out.
func (r *Remover) Plan(ctx context.Context, targets []session.Target) (*Plan, error) {
	plan := &Plan{voice: voice(r.Program), Report: &result.RemovalReport{
		APIVersion: result.APIVersion, Kind: "RemovalReport", GeneratedAt: r.Reader.Now().UTC().Truncate(1e9),
		Server: r.Identity.Server, User: r.Identity.User,
		Forced: r.Options.Force, DryRun: r.Options.DryRun, Outcome: result.Planned,
		Guards: []result.Guard{}, Items: []result.Removal{},
	}}
	r.targets = len(targets)
	around := r.tools() // for what several objects have in common: who depends on them
	for _, target := range targets {
		one, err := r.planOne(ctx, around, target)
		if failed := (&TargetError{Target: target, Err: err}); err != nil {
			if r.Gone == nil || !r.Gone(failed) {
				return nil, failed
			}
			r.targets--
			continue
		}
		same := func(other *item) bool { return other.ref().UID == one.ref().UID }
		if slices.ContainsFunc(plan.items, same) { // an object that two API groups serve
			r.targets--
			continue
		}
		plan.items = append(plan.items, one)
	}
	if len(plan.items) == 0 {
		return nil, nil
	}
	plan.items = inOrder(plan.items)
	r.guard(ctx, plan)
	if ctx.Err() != nil { // what was found is half of it, and nothing but the interruption refused the dry runs
		return nil, ctx.Err()
	}
	if plan.Report.Token = plan.token(); len(plan.items) > 1 && (!r.Options.Force || r.asks()) {
		plan.Report.Word = plan.Report.Token[:min(wordLength, len(plan.Report.Token))]
	}
	switch {
	case len(plan.items) == 1 && len(plan.items[0].entries) > 0:
		plan.Report.Command = r.command(plan.items[0], plan.Report.Token)
	case plan.Report.Token != "" && len(r.Again) > 0:
		plan.Report.Command = slices.Concat(r.Again, finding.Command{"--force", "--confirm", plan.Report.Token})
	}
	plan.publish()
	return plan, nil
}

// guard passes the guards that need no consent. The dry runs are sent before the second one is decided, so that a
// refusal says whether an override would be enough; with --force, only if nothing refuses.
func (r *Remover) guard(ctx context.Context, plan *Plan) {
	for _, one := range plan.items {
		if plan.note(guardTerminating, terminating(one), one) {
			plan.note(guardNamed, r.named(one), one)
		}
	}
	for _, name := range r.unheld(plan) {
		var holds []finding.Hold
		for _, one := range plan.items {
			holds = append(holds, one.seen.object.Holds()...)
		}
		details := finding.RemovalDetails{Name: name, Meant: meant([]string{name}, holds)}
		plan.note(guardNamed, &finding.Finding{Situation: "NoneHeldByThis", Details: details}, nil)
	}
	objected := func(one *item) bool { return r.justified(plan)(one) != nil }
	refused := r.exact(plan) != nil || slices.ContainsFunc(plan.items, objected)
	tries := !plan.refused() && r.Options.DryRun != DryRunClient && (!r.Options.Force || !refused)
	for _, one := range plan.items {
		if tries {
			tryAll(ctx, r.Writer, one)
			r.noteLifted(ctx, one.steps...)
		}
		if one.seen.object.Terminating() {
			plan.note(guardJustified, r.justified(plan)(one), one)
		}
	}
	if refused := r.exact(plan); refused != nil {
		plan.note(guardJustified, refused, nil)
	}
	if tries && !r.Options.Force {
		plan.noteTries()
	}
}

func (r *Remover) planOne(ctx context.Context, around *mechanism.Tools, target session.Target) (*item, error) {
	seen, err := r.look(ctx, target)
	if err != nil {
		return nil, err
	}
	object := seen.object
	one := &item{target: target, seen: seen, voice: voice(r.Program), view: &result.Removal{
		Target: object.Ref, ResourceVersion: object.Meta.ResourceVersion,
		Verdict: seen.diagnosis.Verdict, Diagnosis: seen.diagnosis.Summary, Outcome: result.Planned,
		Sums:    seen.diagnosis.Sums,
		Entries: []result.RemovalEntry{}, Remains: []finding.Hold{}, Better: []finding.Remedy{},
		Writes: []result.Write{},
	}}
	if !object.Terminating() {
		return one, nil
	}
	if deletion := seen.diagnosis.Deletion; deletion != nil {
		one.view.RequestedAt = deletion.RequestedAt
	}
	one.entries = r.chosen(seen)
	r.lookForStopped(ctx, around, one)
	if len(one.entries) > 0 {
		if err := lookBelow(ctx, around, one); err != nil {
			return nil, err
		}
	}
	one.view.Remains = append(one.view.Remains, without(object.Holds(), one.entries)...)
	for _, hold := range one.entries {
		one.view.Entries = append(one.view.Entries, r.entry(ctx, around, seen, hold))
	}
	one.view.Better, one.view.Ways = r.better(seen, one.entries)
	one.steps = stepsFor(object, one.entries)
	if len(one.entries) > 0 {
		addLosses(one)
	}
	return one, nil
}

// note records that a guard passes, or why it refuses. It answers whether it passes.
func (p *Plan) note(guard guard, refused *finding.Finding, about *item) bool {
	noted := result.Guard{Number: guard.number(), Name: string(guard), Passed: true}
	if refused != nil {
		noted = result.RefusingGuard(p.voice, guard.number(), string(guard), guard.rule(), *refused)
	}
	if about != nil {
		noted.Target = &about.seen.object.Ref
		if refused != nil && about.refusedBy == nil {
			about.view.Outcome, about.view.Message, about.refusedBy = result.Refused, noted.Why, &noted
		}
	}
	p.Report.Guards = append(p.Report.Guards, noted)
	return refused == nil
}

func (p *Plan) refused() bool {
	return slices.ContainsFunc(p.Report.Guards, func(guard result.Guard) bool { return !guard.Passed })
}

func (p *Plan) publish() {
	p.Report.Items = p.Report.Items[:0]
	for _, one := range p.items {
		one.view.Writes = one.view.Writes[:0]
		for _, step := range one.steps {
			one.view.Writes = append(one.view.Writes, step.view)
		}
		one.view.Alike = one.alike()
		p.Report.Items = append(p.Report.Items, *one.view)
	}
}

// Shown returns the plan as it is before anything is done. What is done later doesn't change it.
func (p *Plan) Shown() *result.RemovalReport {
	p.publish()
	shown := *p.Report
	shown.Items, shown.Guards = slices.Clone(shown.Items), slices.Clone(shown.Guards)
	return &shown
}
