package cluster

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Undiscovered is the error of a kind that is defined, or was served before, and that discovery doesn't name.
type Undiscovered struct {
	// Unread is why its definition could not be read; nil where it is there.
	Unread error
}

// Error implements error.
func (e *Undiscovered) Error() string {
	if e.Unread != nil {
		return "the API server does not name it any more, and its definition could not be read: " + e.Unread.Error()
	}
	return "it is defined, but the API server does not serve it: the server may have just started"
}

// errNotNamed is the error of a group version whose APIService leads to a server that discovery doesn't name.
var errNotNamed = errors.New("it has an APIService, but the API server does not name it: " +
	"the server may have just started")

// Expect has the next answers of ServedKinds account for the kinds that were served before: if discovery doesn't name
// one any more, it is gone only if its definition is.
func (l *Live) Expect(before *ServedKinds) { l.before = before }

// complete adds to what discovery names what it leaves out. A server that has just started, and one of several that is
// behind the others, answers before it knows all definitions; what it leaves out isn't absent. Such kinds are asked for
// as all others are: another server may know them.
func (l *Live) complete(ctx context.Context, servedKinds *ServedKinds, named map[schema.GroupVersion]bool) {
	is, _ := l.registered(ctx) // its failures are part of it
	servedKinds.Unchecked = is.failures
	for _, version := range is.services {
		if _, failed := servedKinds.Failed[version]; !failed && !named[version] {
			servedKinds.Failed[version] = errNotNamed
		}
	}
	missing := l.missing(servedKinds, is)
	var found sync.WaitGroup
	var mu sync.Mutex
	places := make(chan struct{}, scanWidth)
	for resource, before := range missing {
		places <- struct{}{}
		found.Go(func() {
			defer func() { <-places }()
			kind, err := l.defined(ctx, resource)
			mu.Lock()
			defer mu.Unlock()
			servedKinds.addMissing(resource, kind, err, before, is)
		})
	}
	found.Wait()
	servedKinds.sort()
}

// missing returns the kinds that are defined or were served before, and that discovery doesn't name; with what was
// known of them before.
func (l *Live) missing(servedKinds *ServedKinds, is registered) map[schema.GroupResource]*Resource {
	missing, named := map[schema.GroupResource]*Resource{}, map[schema.GroupResource]bool{}
	for _, resource := range servedKinds.Resources {
		named[resource.GroupResource()] = true
	}
	for _, resource := range is.definitions {
		if !named[resource] {
			missing[resource] = nil
		}
	}
	if l.before == nil {
		return missing
	}
	for _, resource := range l.before.Resources {
		if !named[resource.GroupResource()] && !ServedByKubernetes(resource.Group) {
			missing[resource.GroupResource()] = &resource
		}
	}
	return missing
}

// addMissing adds a kind that discovery doesn't name: by its definition, or, where that can't be read, as it was
// before. Without either it isn't served.
func (c *ServedKinds) addMissing(
	resource schema.GroupResource, kind definedKind, err error, before *Resource, is registered,
) {
	switch {
	case len(kind.versions) > 0:
		c.Undiscovered[resource] = &Undiscovered{}
		c.Resources = append(c.Resources, kind.Resource)
		for _, version := range kind.versions {
			c.Kinds[schema.GroupVersionKind{Group: kind.Group, Version: version, Kind: kind.Kind}] = true
		}
		return
	case before == nil && err != nil: // its name was read a moment ago
		failure, _ := FailureOf(CustomResourceDefinitions(), "", resource.String(), err)
		c.Unchecked = append(c.Unchecked, failure)
		return
	case before == nil:
		return
	case err == nil:
		err = is.unlisted // it may be another server's
	}
	if err != nil {
		c.Undiscovered[resource] = &Undiscovered{Unread: err}
		c.Resources = append(c.Resources, *before)
		c.Kinds[before.GroupVersion().WithKind(before.Kind)] = true
	}
}

func (c *ServedKinds) sort() {
	slices.SortFunc(c.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
	})
}
