package mechanism

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestRefusedRemovalNamesConfigurationsOnce has webhooks that a workload serves which should remove the finalizer too:
// the rules name a configuration once for each webhook, and a dry run once more.
func TestRefusedRemovalNamesConfigurationsOnce(t *testing.T) {
	workload := finding.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "ops", Name: "operator"}
	configuration := func(name string) Wait {
		ref := finding.Ref{Kind: "ValidatingWebhookConfiguration", Name: name}
		details := finding.WebhookUnavailableDetails{Backend: &finding.Phrase{
			Details: finding.BackendDetails{Workload: &workload},
		}}
		return Wait{Blocker: &Object{Ref: ref}, Otherwise: session.Cause(Finding{Details: details})}
	}
	down := session.Cause(Finding{Remedies: []Remedy{{
		Details: finding.StepDetails{}, Risk: finding.DataLoss,
		Command: finding.Command{"kubectl", "finalizers", "remove", "--force"},
	}}})
	for name, c := range map[string]struct {
		refuse []string
		want   []string
	}{
		"one":           {[]string{"guard"}, []string{"guard"}},
		"one, twice":    {[]string{"guard", "guard"}, []string{"guard"}},
		"two":           {[]string{"guard", "other"}, []string{"guard", "other"}},
		"two, by turns": {[]string{"guard", "other", "guard"}, []string{"guard", "other"}},
	} {
		t.Run(name, func(t *testing.T) {
			said := Answer{Waits: []Wait{{Blocker: &Object{Ref: workload}, Otherwise: down}}}
			answer := refusedRemoval(Held{Object: &Object{}}, said, refusal.Refusals{
				Answer: Answer{Waits: finding.Each(c.refuse, configuration)},
			})
			if len(answer.Remarks) != 1 {
				t.Fatalf("%d remarks: %v", len(answer.Remarks), answer.Remarks)
			}
			details, _ := answer.Remarks[0].Details.(finding.HeldDetails)
			named := finding.Each(details.Objects(), func(ref finding.Ref) string { return ref.Name })
			if !slices.Equal(named, c.want) {
				t.Errorf("the remark names %v, not %v", named, c.want)
			}
			step, _ := answer.Waits[0].Otherwise.Causes[0].Remedies[0].Details.(finding.StepDetails)
			if len(step.Names) != len(c.want) {
				t.Errorf("the step names %v, not %v", step.Names, c.want)
			}
		})
	}
}
