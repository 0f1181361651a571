package removal

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// doubts are what to be told of entries whose controller is missing as far as can be told: nothing in a
// cluster shows what runs outside it (deletion-mechanics D-11). Nobody needs an override for that, so it
// is said aloud.
func doubts(one *item) (warnings []string) {
	for _, hold := range one.entries {
		for _, cause := range one.seen.about(hold).causes {
			if cause.Reason != finding.ControllerMissing || cause.Certainty == finding.Proven || !one.seen.justifies(cause, hold) {
				continue
			}
			warning := fmt.Sprintf("That the controller of %s is missing is %s, not proven. It may run outside this cluster, where nothing in here shows it, and still have work to do for %s. Make sure before you go on.",
				hold.Name, likely(cause.Certainty), one.seen.object.Ref)
			if !slices.Contains(warnings, warning) {
				warnings = append(warnings, warning)
			}
		}
	}
	return warnings
}

func likely(certainty finding.Certainty) string {
	if certainty == finding.Likely {
		return "likely"
	}
	return "a guess"
}

// said tells whether a cause says itself what could not be read, so that it need not be said again.
func said(causes []report.RootCause) bool {
	return slices.ContainsFunc(causes, func(cause report.RootCause) bool { return len(cause.Unread) > 0 })
}
