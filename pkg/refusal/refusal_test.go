package refusal_test

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestRefused asks whether the removal of a finalizer would be refused: by a webhook that can't answer, if that is
// configured to refuse, and by nothing that could not be read.
func TestRefused(t *testing.T) {
	const held = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop, uid: cm-web, " +
		"finalizers: [shop.example.com/hold], deletionTimestamp: '2026-01-02T11:00:00Z'}\n" +
		"---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, uid: ns-shop}\n"
	hook := func(policy, operation string) string {
		return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n" +
			"metadata: {name: guards, uid: vwc-guards}\nwebhooks: [{name: guard.example.com, failurePolicy: " + policy +
			", sideEffects: None, admissionReviewVersions: [v1], " +
			"clientConfig: {service: {namespace: ext, name: guard}}, rules: [{operations: [" + operation +
			"], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]}]\n"
	}
	for _, c := range []struct {
		name, objects, denied string
		refused, unread       bool
	}{
		{name: "nothing is configured", objects: held},
		{name: "a webhook is gone", objects: held + hook("Fail", "UPDATE"), refused: true},
		{name: "it may be passed over", objects: held + hook("Ignore", "UPDATE")},
		{name: "it is about other requests", objects: held + hook("Fail", "CREATE")},
		{
			name: "webhooks can't be read", objects: held + hook("Fail", "UPDATE"),
			denied: "validatingwebhookconfigurations", unread: true,
		},
		{name: "everything is denied", objects: held + hook("Fail", "UPDATE"), denied: "*", unread: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), c.objects)
			if err != nil {
				t.Fatal(err)
			}
			reads := session.New(memory, session.Kubectl{})
			object, err := reads.Read(t.Context(), cluster.ConfigMaps(), "shop", "web")
			if err != nil {
				t.Fatal(err)
			}
			if c.denied != "" {
				memory.Deny(c.denied)
			}
			checker := refusal.NewChecker(reads, health.NewChecker(reads))
			got := checker.Refused(t.Context(), refusal.Removal(object, "shop.example.com/hold", ""))
			if got.Found() != c.refused || got.Unread != c.unread {
				t.Errorf("refused %v, unread %v; want %v, %v", got.Found(), got.Unread, c.refused, c.unread)
			}
			if suspects, _ := checker.Suspects(object, got); len(got.Calls)+len(suspects) > 0 && c.denied == "" && !c.refused {
				t.Errorf("%v may refuse it, although its webhook has no backend", suspects)
			}
		})
	}
}
