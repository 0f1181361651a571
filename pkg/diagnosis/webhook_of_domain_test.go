package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
	"time"
)

// TestWebhookOfDomain asks about a finalizer if only a webhook of its domain is left, and its Service is gone: nothing
// says who removes the finalizer, but something in the cluster has the domain in its name.
func TestWebhookOfDomain(t *testing.T) {
	webhook := object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard.acme.io", "",
		`webhooks:
- name: guard.acme.io
  clientConfig: {service: {namespace: guard-system, name: guard}}
  rules: [{operations: [DELETE], apiGroups: [apps], apiVersions: ["*"], resources: [deployments]}]
`)
	c := whyCase{
		target: "configmaps/settings", verdict: result.Undetermined,
		objects: []string{configMap("settings", deleted(time.Hour, "acme.io/hold")), managerAlive(), webhook},
	}
	answer := c.ask(t)
	if len(answer.RootCauses) != 1 || strings.Contains(answer.RootCauses[0].Message, "nothing in this cluster goes by") {
		t.Errorf("%+v", answer.RootCauses)
	}
}
