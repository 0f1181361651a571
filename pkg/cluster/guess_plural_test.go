package cluster_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

func TestGuessPlural(t *testing.T) {
	for kind, want := range map[string]string{
		"Gateway": "gateways", "Key": "keys", "Policy": "policies", "Ingress": "ingresses", "Pod": "pods",
	} {
		plural, singular := cluster.GuessPlural(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind})
		if plural.Resource != want || plural.Group != "example.com" || singular.Resource == plural.Resource {
			t.Errorf("%s: %s and %s, want %s", kind, plural, singular, want)
		}
	}
}
