package removal

import (
	"context"
	"errors"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// guard is one condition of a removal. Its function returns nil, or why it refuses.
type guard string

const (
	guardTerminating guard = "Terminating" // it is being deleted
	guardNamed       guard = "Named"       // the entries are named
	guardJustified   guard = "Justified"   // the diagnosis has no objection
	guardShown       guard = "Told"        // the losses were shown
	guardConsent     guard = "Consent"
	guardSaved       guard = "Saved"
	guardTried       guard = "DryRun"    // the very same write passes as a dry run
	guardUnchanged   guard = "Unchanged" // a second diagnosis says the same
)

// number is a guard's place in their order. Named and Justified are halves of one. make_plan.go runs 1 and 2,
// run_plan.go 3 to 5, and carry_out.go 6 and 7, right before each write.
func (g guard) number() int {
	return map[guard]int{
		guardTerminating: 1, guardNamed: 2, guardJustified: 2, guardShown: 3, guardConsent: 4, guardSaved: 5,
		guardTried:     6,
		guardUnchanged: 7,
	}[g]
}

// rule is what a guard asks for, in words.
func (g guard) rule() finding.Phrase {
	return map[guard]finding.Phrase{
		guardTerminating: {Situation: "RuleTerminating"},
		guardNamed:       {Situation: "RuleNamed"},
		guardJustified:   {Situation: "RuleJustified"},
		guardShown:       {Situation: "RuleTold"},
		guardConsent:     {Situation: "RuleConsent"},
		guardSaved:       {Situation: "RuleSaved"},
		guardTried:       {Situation: "RuleDryRun"},
		guardUnchanged:   {Situation: "RuleUnchanged"},
	}[g]
}

// terminating is the first guard: a controller sets its finalizer again on an object that lives
// (docs/deletion.md#a-removed-finalizer-and-the-next-reconcile).
func terminating(one *item) *finding.Finding {
	if !one.seen.object.Terminating() {
		return &finding.Finding{Situation: "NobodyDeletedIt", Object: one.ref()}
	}
	return nil
}

// named is the first half of the second guard: never more is removed than was named.
func (r *Remover) named(one *item) *finding.Finding {
	details := finding.RemovalDetails{Holds: one.seen.object.Holds()}
	for _, finalizer := range r.Options.Finalizers {
		if !slices.ContainsFunc(details.Holds, func(hold finding.Hold) bool { return means(finalizer, hold) }) {
			details.Names = append(details.Names, finalizer)
		}
	}
	details.Meant = meant(details.Names, details.Holds)
	if len(one.entries) == 0 && len(details.Holds) > 0 {
		if refused := r.heldByKubernetes(one, details); refused != nil {
			return refused
		}
	}
	graceful := func(hold finding.Hold) bool { return hold.Type == finding.GracePeriod }
	switch {
	case len(details.Holds) > 0 && len(slices.DeleteFunc(slices.Clone(details.Holds), graceful)) == 0:
		return &finding.Finding{Situation: "HasNoFinalizer", Object: one.ref(), Details: details, Remedies: r.askWhy(one)}
	case len(r.Options.Finalizers) == 0 && len(one.entries) == 0:
		return r.noneNamed(one, details)
	case len(one.entries) == 0, len(details.Names) > 0 && r.targets == 1: // of several, each needs one of the names
		return &finding.Finding{Situation: "NotHeldByThese", Object: one.ref(), Details: details}
	}
	return nil
}

// noneNamed asks for names. Where an object has but one finalizer, it offers the command for that.
func (r *Remover) noneNamed(one *item, details finding.RemovalDetails) *finding.Finding {
	refused := &finding.Finding{Situation: "NoFinalizerNamed", Object: one.ref()}
	names := slices.DeleteFunc(slices.Clone(details.Holds), func(hold finding.Hold) bool {
		return hold.Type == finding.GracePeriod || one.seen.endsByItself(hold)
	})
	if details.Count = len(names); len(names) == 1 {
		command := r.kubectl().Remove(one.seen.object, []string{names[0].Name})
		plan := slices.DeleteFunc(command, func(word string) bool { return word == "--force" })
		refused.Remedies = []finding.Remedy{{Command: plan}}
	}
	refused.Details = details
	return refused
}

// heldByKubernetes refuses where all that holds an object are entries of Kubernetes' own collectors: they are no way
// out, what is behind them has to end (docs/deletion.md#a-second-delete), and the command is for that.
func (r *Remover) heldByKubernetes(one *item, details finding.RemovalDetails) *finding.Finding {
	for _, hold := range details.Holds {
		if !one.seen.endsByItself(hold) {
			return nil
		}
	}
	refused := &finding.Finding{Situation: "HeldByKubernetesOnly", Object: one.ref()}
	refused.Remedies = r.askWhy(one)
	if holder, plan := one.seen.plainHolder(); holder != nil {
		details.Other, refused.Remedies[0].Command = holder, plan
	}
	refused.Details = details
	return refused
}

// askWhy is the command that says what an object waits for.
func (r *Remover) askWhy(one *item) []finding.Remedy {
	return []finding.Remedy{{Command: r.kubectl().Why(one.seen.object)}}
}

// exact is the last part of the second guard: each overridden objection is in this plan. Codes that are given in
// advance, for whatever may turn up, name no objection.
func (r *Remover) exact(plan *Plan) *finding.Finding {
	idle := r.Options.Overrides
	for _, one := range plan.items {
		idle = without(idle, codes(one))
	}
	if len(idle) == 0 {
		return nil
	}
	refused := &finding.Finding{Situation: "NothingToSetAside", Details: finding.RemovalDetails{Codes: idle}}
	if command := r.overriding(plan); len(command) > 0 {
		refused.Remedies = []finding.Remedy{{Command: command}}
	}
	return refused
}

// told is the third guard: the person who consents was shown what will be lost.
func told(tell func(*Plan) error, plan *Plan) *finding.Finding {
	if err := tell(plan); err != nil {
		return &finding.Finding{Situation: "LossesNotShown", Details: finding.RemovalDetails{Said: err.Error()}}
	}
	return nil
}

// saved is the fifth guard: the object as it stood is in a file. One that has changed is the seventh's.
func (r *Remover) saved(ctx context.Context, one *item) (guard, *finding.Finding) {
	backup, err := r.save(ctx, one)
	switch {
	case (errors.Is(err, errChanged) || apierrors.IsNotFound(err)) && vanished(ctx, r.Reader, one):
		return guardSaved, nil // there is nothing to save any more, and nothing to write to
	case errors.Is(err, errChanged):
		return guardUnchanged, &finding.Finding{Situation: "ChangedSincePlan", Object: one.ref()}
	case errors.As(err, new(*keepError)):
		details := finding.RemovalDetails{Said: err.Error()}
		return guardSaved, &finding.Finding{Situation: "NotSaved", Object: one.ref(), Details: details}
	case err != nil:
		details := finding.RemovalDetails{Said: err.Error()}
		return guardSaved, &finding.Finding{Situation: "NotReadToSave", Object: one.ref(), Details: details}
	}
	one.view.Backup = backup
	return guardSaved, nil
}

// tried is the sixth guard: the server lets exactly this write through, as a dry run.
func tried(planned *step) *finding.Finding {
	err := planned.tryError
	if err == nil {
		return nil
	}
	details := finding.RemovalDetails{Said: err.Error(), Right: planned.right()}
	refused := &finding.Finding{Situation: "DryRunRefused", Details: details}
	switch {
	case errors.Is(err, context.Canceled): // the program was interrupted: nothing refuses the write
		return interruptedBefore(planned)
	case errors.As(err, new(*cluster.WrongAnswer)):
		refused.Situation = "DryRunUnanswered"
	case errors.As(err, new(*deviation)):
		refused.Situation = "DryRunDeviates"
	case apierrors.IsConflict(err):
		refused.Situation = "DryRunConflicts"
	case rights(err):
		refused.Situation = "DryRunForbidden"
	case planned.lifted != nil:
		details.Lifted = planned.lifted
		refused.Situation, refused.Details = "DryRunRefusedStill", details
	}
	return refused
}

// rights reports whether RBAC refused, which says so in these words. Admission refuses with the same code.
func rights(err error) bool {
	said := err.Error()
	return apierrors.IsForbidden(err) && strings.Contains(said, " cannot ") && strings.Contains(said, " resource ")
}

// unchanged is the seventh guard: a diagnosis right before the write says what the plan said. Only what the plan itself
// has removed may be missing, from this object or from the ones that it waited for.
func (r *Remover) unchanged(one *item, planned *step, now *look, ownWrite string) *finding.Finding {
	details := finding.RemovalDetails{Difference: one.differs(now, ownWrite)}
	for _, hold := range planned.holds {
		for _, objection := range now.objections(hold) {
			if details.Difference == nil && !slices.Contains(r.Options.Overrides, objection.Code) {
				against := finding.RemovalDetails{Reason: objection.Code}
				details.Difference, details.Said = &finding.Phrase{Situation: "NewObjection", Details: against}, objection.Message
			}
		}
	}
	if details.Difference == nil {
		return nil
	}
	return &finding.Finding{Situation: "NotAsShown", Object: one.ref(), Details: details}
}

// differs says how an object differs from what was shown, but for what the plan itself has done; nil if it doesn't.
func (i *item) differs(now *look, ownWrite string) *finding.Phrase {
	before := i.seen
	added, gone := without(now.facts(), before.facts()), without(before.facts(), now.facts())
	version, was := now.object.Meta.ResourceVersion, before.object.Meta.ResourceVersion
	own := ownWrite != "" || len(i.awaits) > 0
	switch {
	case now.object.Ref.UID != before.object.Ref.UID:
		return &finding.Phrase{Situation: "OtherObject"}
	case len(added) > 0:
		return &finding.Phrase{Situation: "NewFacts", Details: finding.RemovalDetails{Facts: added}}
	case !own && len(gone) > 0:
		return &finding.Phrase{Situation: "LostFacts", Details: finding.RemovalDetails{Facts: gone}}
	case !own && now.diagnosis.Verdict != before.diagnosis.Verdict:
		return &finding.Phrase{Situation: "OtherVerdict", Details: finding.RemovalDetails{
			Before: string(before.diagnosis.Verdict), After: string(now.diagnosis.Verdict),
		}}
	case !own && version != was:
		return &finding.Phrase{Situation: "OtherVersion", Details: finding.RemovalDetails{Before: was, After: version}}
	case ownWrite != "" && version != ownWrite:
		return &finding.Phrase{
			Situation: "OtherWriter", Details: finding.RemovalDetails{Before: ownWrite, After: version},
		}
	}
	return nil
}

func union[T comparable](all []T, more ...T) []T {
	return append(all, without(more, all)...)
}
