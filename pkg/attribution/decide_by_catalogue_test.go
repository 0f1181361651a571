package attribution

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestDescribed wants a workload to be taken for a plugin's by more than a name that many have.
func TestDescribed(t *testing.T) {
	knative := plugins.Finalizer{Workloads: []string{"Deployment/controller"}, Labels: []string{"app=controller",
		"app.kubernetes.io/name=knative-serving"}, Namespaces: []string{"knative-serving"}}
	kueue := plugins.Finalizer{Workloads: []string{"Deployment/kueue-controller-manager"},
		Labels: []string{"control-plane=controller-manager", "app.kubernetes.io/name=kueue"}}
	cases := []struct {
		name            string
		known           plugins.Finalizer
		namespace, runs string
		labels          map[string]any
		want            bool
	}{
		{"a name of its own", kueue, "anywhere", "kueue-controller-manager", nil, true},
		{"another name", kueue, "kueue-system", "grafana", nil, false},
		{"another name, and its labels", kueue, "batch", "batch-controllers",
			map[string]any{"control-plane": "controller-manager", "app.kubernetes.io/name": "kueue"}, true},
		{"another name, and the label that many have", kueue, "batch", "batch-controllers",
			map[string]any{"control-plane": "controller-manager"}, false},
		{"a name that many have, where it belongs", knative, "knative-serving", "controller", nil, true},
		{"a name that many have, elsewhere", knative, "ops", "controller", map[string]any{"app": "controller"}, false},
		{"a name that many have, elsewhere, with the project's label", knative, "ops", "controller",
			map[string]any{"app.kubernetes.io/name": "knative-serving"}, true},
		{"a pattern that fits everything", plugins.Finalizer{Workloads: []string{"Deployment/*-*"}}, "crossplane-system",
			"some-thing", nil, false},
	}
	for _, c := range cases {
		workload := &unstructured.Unstructured{
			Object: map[string]any{
				"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"labels": c.labels}}}}}
		workload.SetName(c.runs)
		workload.SetNamespace(c.namespace)
		s := &search{criteria: criteria{known: &c.known}}
		if _, got := described(s.criteria, workload, patterns(s.criteria, "Deployment")); got != c.want {
			t.Errorf("%s: taken for it: %t, want %t", c.name, got, c.want)
		}
	}
}

// TestKnownForOthers wants a program that leads to be no sign of whose a finalizer is, where the catalogue knows the
// program for other finalizers: the core of Cluster API is no infrastructure provider.
func TestKnownForOthers(t *testing.T) {
	all, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	const docker, core = "dockermachine.infrastructure.cluster.x-k8s.io", "machine.cluster.x-k8s.io"
	const topics, strimzi = "strimzi.io/topic-operator", "strimzi-cluster-operator"
	labels := map[string]any{"name": strimzi, "strimzi.io/kind": "cluster-operator"}
	cases := []struct {
		name                       string
		finalizer, namespace, runs string
		labels                     map[string]any
		want                       bool
	}{
		{"the core, and a provider's finalizer", docker, "capi-system", "capi-controller-manager", nil, true},
		{"the core, elsewhere", docker, "shop", "capi-controller-manager", nil, false},
		{"the core, and its own finalizer", core, "capi-system", "capi-controller-manager", nil, false},
		{"the provider", docker, "capd-system", "capd-controller-manager", nil, false},
		{"a program that nothing is known of", docker, "capi-system", "manager", nil, false},
		{"an operator of clusters elsewhere, with its labels", topics, "shop", strimzi, labels, true},
		{"its name alone", topics, "shop", strimzi, nil, false},
	}
	for _, c := range cases {
		named := all.Named(c.finalizer)
		if len(named) == 0 {
			t.Fatalf("the catalogue has no %s", c.finalizer)
		}
		s := &search{finder: NewFinder(nil, nil, all), criteria: criteria{known: &named[0]}}
		workload := &session.Object{
			Ref: finding.Ref{Kind: "Deployment", Namespace: c.namespace, Name: c.runs},
			Whole: &unstructured.Unstructured{
				Object: map[string]any{
					"spec": map[string]any{"template": map[string]any{"metadata": map[string]any{"labels": c.labels}}}}},
		}
		one := &candidate{workload: workload, namespace: c.namespace, leads: true}
		if got := knownForOthers(s.finder, s.criteria, one); got != c.want {
			t.Errorf("%s: known for others: %t, want %t", c.name, got, c.want)
		}
		if got := anotherIsMeant(s.finder, s.criteria, one); got != c.want {
			t.Errorf("%s: another is meant: %t, want %t", c.name, got, c.want)
		}
	}
}
