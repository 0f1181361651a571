package attribution

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestLookedAt makes sure that what is said to have been looked at was read, and that the rest is said not to be.
func TestLookedAt(t *testing.T) {
	held := stuck{kind: "ConfigMap", namespace: "a", name: "x", finalizer: "dns.intra/keep"}
	memory, err := clustertest.New(now, held.document())
	if err != nil {
		t.Fatal(err)
	}
	got := told(t, finderOf(memory, &plugins.Set{}), held)
	_, places, said := strings.Cut(got, "looked at: ")
	looked, not, both := strings.Cut(places, "; not looked at: ")
	if !said || !both {
		t.Fatalf("what was looked at is not said:\n%s", got)
	}
	for place, resource := range map[string]string{
		"RBAC": "clusterrolebindings.rbac", "webhooks": "validatingwebhookconfigurations", "Leases": "leases",
		"Deployments": "deployments", "StatefulSets": "statefulsets", "Jobs": "jobs", "CronJobs": "cronjobs",
		"ReplicaSets": "replicasets", "rollouts.deploy.example.net": "rollouts",
	} {
		read := slices.ContainsFunc(memory.Reads, func(what string) bool { return strings.HasPrefix(what, resource) })
		if strings.Contains(looked, place) != read || strings.Contains(not, place) == read {
			t.Errorf("%s was read: %t; looked at %s; not looked at %s", place, read, looked, not)
		}
	}
	denied, err := clustertest.New(now, held.document())
	if err != nil {
		t.Fatal(err)
	}
	denied.Before = func(what string) {
		if !strings.HasPrefix(what, "configmaps ") {
			denied.Deny("*")
		}
	}
	if got := told(t, finderOf(denied, &plugins.Set{}), held); strings.Contains(got, "looked at") ||
		!strings.Contains(got, "could not be read") {
		t.Errorf("with all reads denied:\n%s", got)
	}
}
