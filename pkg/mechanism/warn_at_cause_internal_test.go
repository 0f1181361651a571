package mechanism

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestWarnAtCause says at a removal by force, and at no other step, that webhook configurations refuse it, if the
// answer waits for the workload behind them.
func TestWarnAtCause(t *testing.T) {
	workload := finding.Ref{Kind: "Deployment", Namespace: "ops", Name: "operator"}
	hook := func(name string) finding.Ref { return finding.Ref{Kind: "ValidatingWebhookConfiguration", Name: name} }
	for name, c := range map[string]struct {
		behind finding.Ref
		hooks  []string
		joined bool
		want   string
	}{
		"one":               {workload, []string{"a"}, true, "ValidatingWebhookConfiguration a refuses that until"},
		"two":               {workload, []string{"a", "b"}, true, "a and ValidatingWebhookConfiguration b refuse that until"},
		"of something else": {finding.Ref{Kind: "Deployment", Name: "x"}, []string{"a"}, false, "remove the finalizer. The"},
	} {
		cause := Finding{Remedies: []Remedy{
			{Step: "ScaleUpController", Details: finding.StepDetails{Object: &workload}},
			{
				Step: "RemoveEntryOfController", Details: finding.StepDetails{},
				Command: finding.Command{"kubectl", "finalizers", "remove", "pumps/x"},
			},
		}}
		answer := Answer{Waits: []Wait{{Blocker: &session.Object{Ref: workload}, Otherwise: session.Cause(cause)}}}
		for _, one := range c.hooks {
			if joined := warnAtCause(&answer, c.behind, hook(one)); joined != c.joined {
				t.Errorf("%s: joined %t", name, joined)
			}
		}
		steps := answer.Waits[0].Otherwise.Causes[0].Remedies
		if said := (finding.Voice{}).Action(steps[1]); !strings.Contains(said, c.want) {
			t.Errorf("%s: it says %q", name, said)
		}
		if other, _ := steps[0].Details.(finding.StepDetails); len(other.Names) > 0 {
			t.Errorf("%s: another step warns, too", name)
		}
		if before, _ := cause.Remedies[1].Details.(finding.StepDetails); len(before.Names) > 0 {
			t.Errorf("%s: the finding itself was changed", name)
		}
	}
}
