package mechanism

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
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
		"one":               {workload, []string{"a"}, true, "ValidatingWebhookConfiguration a answers again or has"},
		"two":               {workload, []string{"a", "b"}, true, "ValidatingWebhookConfiguration b answer again or have"},
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
		for _, text := range c.hooks {
			if joined := warnAtCause(&answer, c.behind, hook(text)); joined != c.joined {
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

// TestRefusalBesideItsCause shows what refuses a removal at the remark about that, and not at the workload behind it.
func TestRefusalBesideItsCause(t *testing.T) {
	workload := &session.Object{Ref: finding.Ref{Kind: "Deployment", Namespace: "ops", Name: "operator"}}
	down := Finding{Evidence: []Evidence{{Observed: "spec.replicas is 0"}}}
	hook := func(name string) Wait {
		backend := finding.BackendDetails{Workload: &workload.Ref}
		return Wait{
			Blocker: &session.Object{Ref: finding.Ref{Kind: "ValidatingWebhookConfiguration", Name: name}},
			Otherwise: session.Cause(Finding{
				Details:  finding.WebhookUnavailableDetails{Backend: &finding.Phrase{Details: backend}},
				Evidence: []Evidence{{Observed: name + " intercepts"}, {Observed: "and more"}},
			}),
		}
	}
	said := Answer{Waits: []Wait{{Blocker: workload, Otherwise: session.Cause(down)}}}
	refused := refusal.Refusals{Answer: Answer{Waits: []Wait{hook("a"), hook("b")}}}
	answer := refusedRemoval(Held{}, said, refused)
	if at := answer.Waits[0].Otherwise.Causes[0].Evidence; len(answer.Waits) != 1 || len(at) != 1 {
		t.Errorf("%d waits, and the workload's cause has the evidence %v", len(answer.Waits), at)
	}
	if len(answer.Remarks) != 1 || len(answer.Remarks[0].Evidence) != 2 ||
		answer.Remarks[0].Evidence[1].Observed != "b intercepts" {
		t.Errorf("the remarks are %v", answer.Remarks)
	}
}
