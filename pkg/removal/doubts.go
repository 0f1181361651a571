package removal

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// doubts are what to be told of entries whose controller is missing as far as can be told: nothing in a
// cluster shows what runs outside it (deletion-mechanics D-11). Nobody needs an override for that, so it
// is said aloud.
func doubts(one *item) (warnings []finding.Finding) {
	told := map[string]bool{}
	for _, hold := range one.entries {
		for _, cause := range one.seen.about(hold).causes {
			if cause.Reason != finding.ControllerMissing || cause.Certainty == finding.Proven ||
				!one.seen.justifies(cause, hold) {
				continue
			}
			warning := finding.Finding{Situation: "MissingIsNotProven", Object: one.ref(), Details: finding.RemovalDetails{
				Name: hold.Name, Likely: cause.Certainty == finding.Likely,
			}}
			if !told[warning.Identity()] {
				warnings = append(warnings, warning)
			}
			told[warning.Identity()] = true
		}
	}
	return warnings
}

// said tells whether a cause says itself what could not be read, so that it need not be said again.
func said(causes []report.RootCause) bool {
	return slices.ContainsFunc(causes, func(cause report.RootCause) bool { return len(cause.Unread) > 0 })
}
