package result

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Verdict says in one word how it stands with a deletion.
type Verdict string

// The verdicts.
const (
	NotTerminating Verdict = "NotTerminating" // it was not deleted
	Progressing    Verdict = "Progressing"    // something acts, and nothing says that it can't finish
	Stuck          Verdict = "Stuck"          // at least one root cause that won't clear without a person
	Undetermined   Verdict = "Undetermined"   // what was readable doesn't settle it
)

// VerdictBy returns the verdict on something that was deleted, by the reasons of its root causes, and by whether
// anything else about it is open.
func VerdictBy(reasons []finding.Reason, open bool) Verdict {
	known := func(reason finding.Reason) bool { return reason != finding.ControllerUnknown }
	switch {
	case slices.ContainsFunc(reasons, known):
		return Stuck
	case len(reasons) > 0 || open:
		return Undetermined
	}
	return Progressing
}
