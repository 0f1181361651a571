package cluster

import (
	"slices"
	"testing"

	"k8s.io/client-go/kubernetes/scheme"
)

func TestServedByKubernetes(t *testing.T) {
	for group, want := range map[string]bool{
		"": true, "apps": true, "policy": true, "extensions": true, "settings.k8s.io": true,
		"storage.k8s.io": true, "rbac.authorization.k8s.io": true, "flowcontrol.apiserver.k8s.io": true,
		"apiextensions.k8s.io": true, "apiregistration.k8s.io": true, "lifecycle.k8s.io": true,
		"snapshot.storage.k8s.io": false, "metrics.k8s.io": false, "policy.networking.k8s.io": false,
		"gateway.networking.k8s.io": false, "cluster.x-k8s.io": false, "example.k8s.io": false,
		"k8s.io": false, "x.apps": false, "shop.example.com": false, "kubernetes.io": false,
	} {
		if got := ServedByKubernetes(group); got != want {
			t.Errorf("%q: %v", group, got)
		}
	}
}

// TestServedByKubernetesKnowsTheClient fails when a new version of client-go brings a group that the table lacks.
func TestServedByKubernetesKnowsTheClient(t *testing.T) {
	// Kinds of requests and of reviews that webhooks answer: no server serves these groups.
	unserved := []string{"__internal", "admission.k8s.io", "imagepolicy.k8s.io", "apidiscovery.k8s.io"}
	for kind := range scheme.Scheme.AllKnownTypes() {
		if !ServedByKubernetes(kind.Group) && !slices.Contains(unserved, kind.Group) {
			t.Errorf("%q is missing", kind.Group)
		}
	}
}
