package audit_test

import (
	"slices"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestCheck checks a namespace: what is found, what could not be read, and that nothing is concluded where every read
// is denied.
func TestCheck(t *testing.T) {
	const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, uid: ns-shop}\n"
	const owned = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop, uid: cm-web, " +
		"ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: top, uid: cm-top}]}\n"
	const owner = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: top, namespace: shop, uid: cm-top}\n"
	for _, c := range []struct {
		name, objects string
		denied        []string
		reasons       []string
		unreadable    bool
		refused       bool // nothing could be listed
	}{
		{name: "nothing is wrong", objects: namespace + owned + owner},
		{name: "an owner is missing", objects: namespace + owned, reasons: []string{"OwnerMissing"}},
		{name: "a kind can't be listed", objects: namespace + owned + owner, denied: []string{"secrets"}, unreadable: true},
		{name: "everything is denied", objects: namespace + owned, denied: []string{"*"}, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory, err := clustertest.New(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), c.objects)
			if err != nil {
				t.Fatal(err)
			}
			for _, resource := range c.denied {
				memory.Deny(resource)
			}
			known, err := plugins.Embedded()
			if err != nil {
				t.Fatal(err)
			}
			result, err := audit.Check(t.Context(), memory, "shop", mechanism.Options{
				Plugins: known, Pause: session.NoSecondLook,
			})
			if c.refused {
				if err == nil {
					t.Fatalf("a namespace that can't be read has %d findings", len(result.Findings))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var reasons []string
			for _, found := range result.Findings {
				reasons = append(reasons, string(found.Reason))
			}
			if !slices.Equal(reasons, c.reasons) {
				t.Errorf("found %v, want %v", reasons, c.reasons)
			}
			if unreadable := len(result.Unreadable) > 0; unreadable != c.unreadable {
				t.Errorf("unreadable: %v, want %v: %v", unreadable, c.unreadable, result.Unreadable)
			}
		})
	}
}
