package cluster

import "slices"

// Owned returns the resources whose objects the garbage collector watches and may delete: the ones that can be listed,
// watched and deleted, but for Events (k8s v1.37
// pkg/controller/garbagecollector/garbagecollector.go:GetDeletableResources, and pkg/controller/garbagecollector/config
// DefaultIgnoredResources).
func (c *ServedKinds) Owned() []Resource {
	c.AskAll()
	return c.Watched()
}

// OwnedInNamespaces is Owned, but for cluster-scoped resources: what the deletion of a namespace takes with it.
func (c *ServedKinds) OwnedInNamespaces() []Resource {
	return slices.DeleteFunc(c.Owned(), func(r Resource) bool { return !r.Namespaced })
}

// Watched is Owned for who makes do with what was discovered.
func (c *ServedKinds) Watched() []Resource {
	return slices.DeleteFunc(slices.Concat(c.others(), c.Resources), func(r Resource) bool {
		return isEvent(r) || !r.can("list") || !r.can("watch") || !r.can("delete")
	})
}

// Listable returns the resources that can be listed, each storage once: Events are served by two groups. With
// namespaced, only what is in namespaces.
func (c *ServedKinds) Listable(namespaced bool) []Resource {
	return slices.DeleteFunc(slices.Concat(c.Resources, c.others()), func(r Resource) bool {
		twice := r.Kind == "Event" && r.Group == "events.k8s.io"
		return twice || namespaced && !r.Namespaced || !r.can("list")
	})
}

// Content returns the resources that may be left in a namespace: all but Events.
func (c *ServedKinds) Content() []Resource { return slices.DeleteFunc(c.Listable(true), isEvent) }

func isEvent(r Resource) bool {
	return r.Kind == "Event" && (r.Group == "" || r.Group == "events.k8s.io")
}

// Deletable returns those of the listable resources whose objects can be Terminating.
func (c *ServedKinds) Deletable(namespaced bool) []Resource {
	return slices.DeleteFunc(c.Listable(namespaced), func(resource Resource) bool { return !resource.can("delete") })
}
