package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// joinHolds adds to a cause the finalizer of another one about the same thing. If both are on one object, the cause's
// removal by force names both: either one alone would release nothing.
func joinHolds(cause, other finding.Finding) finding.Finding {
	cause = joinHeld(cause, other)
	if other.Finalizer == "" || other.Finalizer == cause.Finalizer || slices.Contains(cause.Also, other.Finalizer) {
		return cause
	}
	cause.Also = append(slices.Clip(cause.Also), other.Finalizer)
	cause.Remedies = slices.Clone(cause.Remedies)
	for i, remedy := range cause.Remedies {
		for _, same := range other.Remedies {
			if remedy.Forces() && same.Forces() && slices.Equal(unnamed(remedy.Command), unnamed(same.Command)) {
				at := slices.Index(remedy.Command, finalizerFlag)
				cause.Remedies[i].Command = slices.Insert(slices.Clone(remedy.Command), at+2, finalizerFlag,
					other.Finalizer)
			}
		}
	}
	return cause
}

// joinHeld adds to a cause about a controller the objects that it holds by another one, and says at the removal by
// force for how many more of the same kind it is the way.
func joinHeld(cause, other finding.Finding) finding.Finding {
	details, is := cause.Details.(finding.ControllerDetails)
	more, same := other.Details.(finding.ControllerDetails)
	if !is || !same {
		return cause
	}
	alike := 0
	for _, held := range more.Held {
		if slices.Contains(details.Held, held) {
			continue
		}
		if other.Finalizer == cause.Finalizer && len(details.Held) > 0 && held.Kind == details.Held[0].Kind {
			alike++
		}
		details.Held = append(slices.Clip(details.Held), held)
	}
	cause.Details = details
	if alike == 0 {
		return cause
	}
	cause.Remedies = finding.Each(cause.Remedies, func(remedy finding.Remedy) finding.Remedy {
		if step, is := remedy.Details.(finding.StepDetails); is && remedy.Forces() {
			step.Object, step.Count = &details.Held[0], step.Count+alike
			remedy.Details = step
		}
		return remedy
	})
	return cause
}

const finalizerFlag = "--finalizer"

// unnamed is a command to remove finalizers without their names.
func unnamed(command finding.Command) (rest finding.Command) {
	for i, word := range command {
		if word != finalizerFlag && (i == 0 || command[i-1] != finalizerFlag) {
			rest = append(rest, word)
		}
	}
	return rest
}
