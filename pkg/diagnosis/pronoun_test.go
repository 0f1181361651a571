package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"testing"
	"time"
)

// TestPronoun holds the first sentence to names: the target is "it" in what it waits for, and an object whose name
// begins with the target's keeps its own.
func TestPronoun(t *testing.T) {
	held := deleted(time.Hour, "example.com/hold")
	parts := []string{
		object("v1", "Namespace", "", "payments", deleted(time.Hour, "foregroundDeletion"), "status: {phase: Terminating}"),
		object("v1", "Namespace", "", "payments-ops", held+
			", ownerReferences: [{apiVersion: v1, kind: Namespace, name: payments, uid: namespace-payments, "+
			"blockOwnerDeletion: true}]",
			"status: {phase: Terminating}"),
	}
	cases := []whyCase{{
		name: "dependent", target: "configmaps/a", verdict: result.Undetermined,
		objects: []string{configMap("a", deleted(time.Hour, "foregroundDeletion")),
			configMap("a-child", held+", "+owned("a", true)), managerAlive()},
	}, {
		name: "namespace", target: "namespaces/payments", verdict: result.Undetermined,
		objects: append(parts, managerAlive()),
	}, {
		name: "itself", target: "configmaps/a", verdict: result.Undetermined, objects: []string{configMap("a", held),
			managerAlive()},
	}}
	want := map[string]string{
		"dependent": "ConfigMap shop/a-child", "namespace": "Namespace payments-ops",
		"itself": "for the removal of the finalizer example.com/hold",
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := c.ask(t)
			if !strings.Contains(result.Summary, want[c.name]) || strings.Contains(result.Summary, "it-") {
				t.Errorf("%q is not in %q", want[c.name], result.Summary)
			}
		})
	}
}
