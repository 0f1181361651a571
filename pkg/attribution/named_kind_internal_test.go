package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// TestNamedKind wants a finalizer to be named after another kind only if its domain is one below the group, and is not
// the kind's own name.
func TestNamedKind(t *testing.T) {
	for finalizer, want := range map[string]string{
		"backups.shop.example.net/protect": "backups.shop.example.net",
		"databases.shop.example.net/a":     "",
		"database.shop.example.net":        "",
		"shop.example.net/cleanup":         "",
		"a.b.shop.example.net/cleanup":     "",
		"backups.example.net/cleanup":      "",
		"cleanup":                          "",
	} {
		of := criteria{finalizer: finalizer, resource: cluster.Resource{Kind: "Database"}}
		of.resource.Group, of.resource.Resource = "shop.example.net", "databases"
		named, found := namedKind(of)
		if got := named.String(); found != (want != "") || found && got != want {
			t.Errorf("%s: %q, %t, want %q", finalizer, got, found, want)
		}
	}
}
