package removal

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const overrideFlag = "--override"

// justified is the other half of the second guard: an objection to it is overridden by its name. A refusal offers
// the command that plans the same with all of a plan's objections overridden.
func (r *Remover) justified(plan *Plan) func(*item) *finding.Finding {
	return func(one *item) *finding.Finding {
		details := finding.RemovalDetails{}
		for _, entry := range one.view.Entries {
			for _, objection := range entry.Objected {
				if !objection.Overridden {
					against := finding.Against{Code: objection.Code, Entry: entry.Name, Message: objection.Message}
					details.Against, details.Codes = append(details.Against, against), union(details.Codes,
						objection.Code)
					details.Does = union(details.Does, satisfies(objection))
				}
			}
		}
		if len(details.Against) == 0 {
			return nil
		}
		details.Refused = slices.ContainsFunc(one.steps, func(s *step) bool { return s.tryError != nil })
		refused := &finding.Finding{Situation: "DiagnosisObjects", Details: details, Object: one.ref()}
		if command := r.overriding(plan); len(command) > 0 && !details.Refused {
			refused.Remedies = []finding.Remedy{{Command: command}}
		}
		return refused
	}
}

// satisfies says what to do about an objection.
func satisfies(objection result.Objection) string {
	switch {
	case finding.Is(objection.Situation, finding.NotRead):
		return "Read"
	case objection.Code == string(result.Progressing):
		return "Wait"
	case objection.Code == string(finding.ControllerUnknown):
		return "FindController"
	case objection.Code == string(result.Undetermined):
		return "FindOut"
	}
	return "Fix"
}

// overriding is the command that makes the same plan, with all objections to it overridden, and nothing else. There is
// none for several objects where manifests were piped in.
func (r *Remover) overriding(plan *Plan) finding.Command {
	var needed []string
	for _, one := range plan.items {
		needed = union(needed, codes(one)...)
	}
	if len(plan.items) == 1 {
		only := plan.items[0]
		command := r.kubectl().Remove(only.seen.object, only.names(), overrides(needed)...)
		return slices.DeleteFunc(command, func(word string) bool { return word == "--force" })
	}
	if len(r.Again) == 0 {
		return nil
	}
	exact := r.Again
	for _, idle := range without(r.Options.Overrides, needed) {
		exact = withoutOverride(exact, idle)
	}
	return slices.Concat(exact, overrides(without(needed, r.Options.Overrides)))
}

// withoutOverride is a command without the overriding of one objection.
func withoutOverride(command finding.Command, code string) finding.Command {
	for i := range len(command) - 1 {
		if command[i] == overrideFlag && command[i+1] == code {
			return slices.Delete(slices.Clone(command), i, i+2)
		}
	}
	return command
}

func overrides(codes []string) (flags []string) {
	for _, code := range codes {
		flags = append(flags, overrideFlag, code)
	}
	return flags
}

// names are the finalizers to be removed from an object, as --finalizer takes them.
func (i *item) names() (names []string) {
	for _, hold := range i.entries {
		name := hold.Name
		if hold.Type == finding.SpecFinalizer && i.seen.ambiguous(hold) {
			name = "spec:" + name
		}
		names = append(names, name)
	}
	return names
}
