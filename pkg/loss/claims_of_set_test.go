package loss_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestClaimsOfSet(t *testing.T) {
	set := func(namespace, name string) *session.Object {
		return session.Named(cluster.StatefulSets(), namespace, name)
	}
	is := loss.ClaimsOfSet(set("shop", "db"),
		[]*session.Object{set("shop", "db"), set("shop", "other-db"), set("lab", "their-db")})
	for name, want := range map[string]bool{
		"data-db-0": true, "my-data-db-12": true, "data-their-db-0": true,
		"data-other-db-0": false, "data-db": false, "data-db-x": false, "db-0": false, "-db-0": false, "data-dbx-0": false,
	} {
		if got := is("shop", name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if is("lab", "data-db-0") {
		t.Error("a claim of another namespace")
	}
}
