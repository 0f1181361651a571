package refusal

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// refusedAlike names, at the steps that send the very write that a controller should send, what may refuse that: these
// steps pass only where the controller's own request would.
func refusedAlike(steps []finding.Remedy, suspects []finding.Ref) []finding.Remedy {
	if len(suspects) == 0 {
		return steps
	}
	return finding.Each(steps, func(step finding.Remedy) finding.Remedy {
		if finding.Is(step.Step, finding.RepeatsWrite) {
			details, _ := step.Details.(finding.StepDetails)
			details.Names = append(slices.Clone(details.Names), finding.Each(suspects, finding.Ref.String)...)
			step.Details = details
		}
		return step
	})
}
