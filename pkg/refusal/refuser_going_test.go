package refusal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestDenyingWebhookGoing asks how to end the denials of a webhook: its configuration is deleted, unless that was done
// already and something holds it.
func TestDenyingWebhookGoing(t *testing.T) {
	for _, c := range []struct {
		name, meta, step string
		waits            int
	}{
		{name: "it stays", step: "DeleteUnwantedConfiguration", waits: 1},
		{
			name: "it is being deleted", step: "TakeWebhookOut", waits: 2,
			meta: ", finalizers: [guards.example.com/hold], deletionTimestamp: '2026-01-02T11:00:00Z'",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC),
				"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: guards, "+
					"uid: vwc-guards"+c.meta+"}\nwebhooks: [{name: first.example.com, rules: []}, {name: guard.example.com, "+
					"rules: [{operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]}]\n")
			if err != nil {
				t.Fatal(err)
			}
			reads := session.New(memory, session.Kubectl{})
			denial := refusal.Denial{Refusal: admission.Refusal{Kind: admission.HookDenied, Name: "guard.example.com"}}
			answer, _ := refusal.NewChecker(reads, health.NewChecker(reads)).Explain(t.Context(), denial)
			if len(answer.Waits) != c.waits {
				t.Fatalf("%d waits, want %d", len(answer.Waits), c.waits)
			}
			cause := answer.Waits[0].Otherwise.Causes[0]
			last := cause.Remedies[len(cause.Remedies)-1]
			if last.Step != c.step || (cause.Ends != nil) != (c.waits == 2) {
				t.Errorf("step %s, ends with %v", last.Step, cause.Ends)
			}
			if c.waits == 2 && !strings.Contains(strings.Join(last.Command, " "), `"remove","path":"/webhooks/1"`) {
				t.Errorf("the step is %q", last.Command)
			}
		})
	}
}
