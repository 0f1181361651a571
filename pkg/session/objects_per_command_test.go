package session_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestForAll names objects of one namespace in one command, and as many as one may.
func TestForAll(t *testing.T) {
	t.Parallel()
	objects := []*session.Object{
		session.Named(cluster.Pods(), "shop", "a"), session.Named(cluster.Pods(), "bank", "b"),
		session.Named(cluster.Pods(), "shop", "c"), session.Named(cluster.PersistentVolumes(), "", "d"),
	}
	var got []string
	for _, command := range (session.Kubectl{}).ForAll(objects, "wait", "--for=delete") {
		got = append(got, command.String())
	}
	if want := []string{
		"kubectl -n shop wait pods/a pods/c --for=delete", "kubectl -n bank wait pods/b --for=delete",
		"kubectl wait persistentvolumes/d --for=delete",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	objects = nil
	for i := range session.MostTogether + 1 {
		objects = append(objects, session.Named(cluster.Pods(), "shop", fmt.Sprint("p-", i)))
	}
	if commands := (session.Kubectl{}).ForAll(objects, "delete"); len(commands) != 2 || len(commands[1]) != 5 {
		t.Errorf("%d commands: %v", len(commands), commands)
	}
}
