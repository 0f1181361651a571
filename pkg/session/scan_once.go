package session

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// census is what one pass over an area has found, for both who ask what is Terminating and who ask who is there.
type census struct {
	namespace string
	scan      *Scan
	inventory *Inventory
}

// Census reads the metadata of everything in a namespace, or with an empty one in the cluster, in one pass: Scan with
// dependents, and Inventory, of the same area read nothing afterwards. It returns the kinds that could not be listed,
// and an error if discovery doesn't say what there is to list.
func (s *Session) Census(ctx context.Context, namespace string) ([]cluster.Unlisted, error) {
	servedKinds, err := s.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	servedKinds.AskAll()
	area := Area{Namespace: namespace}
	listed, deletable := servedKinds.Listable(namespace != ""), map[string]bool{}
	for _, resource := range servedKinds.Deletable(namespace != "") {
		deletable[resource.String()] = true
	}
	found, counted := newScanning(len(deletable)), newCounting(listed)
	keep := cluster.KeepSlim | cluster.KeepSample | cluster.KeepTerminating | cluster.KeepOwned
	unlisted := s.scanAll(ctx, listed, namespace, cluster.Selector{Keep: keep}, func(object *Object) {
		counted.add(object)
		// A scan keeps nothing else.
		if deletable[object.Resource.String()] && (object.Terminating() || len(object.Meta.OwnerReferences) > 0) {
			found.add(object)
		}
	})
	inventory := counted.result(unlisted)
	if namespace != "" {
		unlisted = append(unlisted, s.addNamespace(ctx, area, found.add)...)
	}
	s.keepDependents(servedKinds, area, found, unlisted)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.census = &census{namespace: namespace, scan: found.result(unlisted), inventory: inventory}
	return unlisted, nil
}

// counted returns what Census has read of an area.
func (s *Session) counted(area Area) (*census, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.census == nil || area.Labels != "" || len(area.Kinds) > 0 || area.Namespace != s.census.namespace {
		return nil, false
	}
	return s.census, true
}
