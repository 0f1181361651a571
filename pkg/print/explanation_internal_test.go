package print

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestAwaited wants sentences, and one for all kinds about which it says the same.
func TestAwaited(t *testing.T) {
	wait := func(resource string, scope plugins.Scope, says string) plugins.Wait {
		return plugins.Wait{Resource: resource, Scope: scope, Says: says}
	}
	got := awaited([]plugins.Wait{
		wait("routes.shop.example.com", plugins.ScopeCluster, "refers to the shop"),
		wait("users.*", plugins.ScopeNamespace, "buys there"),
		wait("doors.shop.example.com", plugins.ScopeCluster, "refers to the shop"),
		wait("keys.shop.example.com", plugins.ScopeNamespace, "refers to the shop"),
	})
	want := []string{
		"each object of routes.shop.example.com and doors.shop.example.com that refers to the shop (in the whole cluster)",
		"each object of users of the same API group that buys there (in the same namespace)",
		"each object of keys.shop.example.com that refers to the shop (in the same namespace)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it waits for %q, want %q", got, want)
	}
}
