package attribution

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestDescribed wants a workload to be taken for a plugin's by more than a name that many have.
func TestDescribed(t *testing.T) {
	knative := plugins.Finalizer{Workloads: []string{"Deployment/controller"}, Labels: []string{"app=controller", "app.kubernetes.io/name=knative-serving"}, Namespaces: []string{"knative-serving"}}
	kueue := plugins.Finalizer{Workloads: []string{"Deployment/kueue-controller-manager"}, Labels: []string{"control-plane=controller-manager", "app.kubernetes.io/name=kueue"}}
	cases := []struct {
		name            string
		known           plugins.Finalizer
		namespace, runs string
		labels          map[string]any
		want            bool
	}{
		{"a name of its own", kueue, "anywhere", "kueue-controller-manager", nil, true},
		{"another name", kueue, "kueue-system", "grafana", nil, false},
		{"another name, and its labels", kueue, "batch", "batch-controllers", map[string]any{"control-plane": "controller-manager", "app.kubernetes.io/name": "kueue"}, true},
		{"another name, and the label that many have", kueue, "batch", "batch-controllers", map[string]any{"control-plane": "controller-manager"}, false},
		{"a name that many have, where it belongs", knative, "knative-serving", "controller", nil, true},
		{"a name that many have, elsewhere", knative, "ops", "controller", map[string]any{"app": "controller"}, false},
		{"a name that many have, elsewhere, with the project's label", knative, "ops", "controller", map[string]any{"app.kubernetes.io/name": "knative-serving"}, true},
		{"a pattern that fits everything", plugins.Finalizer{Workloads: []string{"Deployment/*-*"}}, "crossplane-system", "some-thing", nil, false},
	}
	for _, c := range cases {
		workload := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"labels": c.labels}}}}}
		workload.SetName(c.runs)
		workload.SetNamespace(c.namespace)
		s := &search{criteria: criteria{known: &c.known}}
		if _, got := s.described(workload, s.patterns("Deployment")); got != c.want {
			t.Errorf("%s: taken for it: %t, want %t", c.name, got, c.want)
		}
	}
}
