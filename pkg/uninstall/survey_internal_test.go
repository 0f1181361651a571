package uninstall

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestAddedIsFound finds what was added after the lists: an object whose kind may be read, and not listed.
func TestAddedIsFound(t *testing.T) {
	t.Parallel()
	s := &survey{byUID: map[string]*session.Object{}, ofKind: map[string][]*session.Object{}}
	target := session.Target{Resource: cluster.Deployments(), Namespace: "system", Name: "operator"}
	for range 2 { // and once, if it is added again
		s.add(session.Named(target.Resource, target.Namespace, target.Name))
	}
	if s.find(target) == nil || len(s.objects) != 1 {
		t.Errorf("it is not found, or not once: %v", s.objects)
	}
}
