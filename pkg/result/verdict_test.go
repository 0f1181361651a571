package result_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func TestVerdictBy(t *testing.T) {
	const known, unknown = finding.StillInUse, finding.ControllerUnknown
	for _, c := range []struct {
		reasons []finding.Reason
		open    bool
		want    result.Verdict
	}{
		{nil, false, result.Progressing},
		{nil, true, result.Undetermined},
		{[]finding.Reason{unknown}, false, result.Undetermined},
		{[]finding.Reason{unknown, known}, false, result.Stuck},
		{[]finding.Reason{known}, true, result.Stuck},
	} {
		if got := result.VerdictBy(c.reasons, c.open); got != c.want {
			t.Errorf("%v, open %v: %s, want %s", c.reasons, c.open, got, c.want)
		}
	}
}
