package audit

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// crowd are the objects of one kind.
type crowd struct {
	resource cluster.Resource
	all      []place // by name alone
	live     []place // with finalizers, and not being deleted
}

// place is how many objects of a kind there are in a namespace, with the first of them.
type place struct {
	count   int
	example *session.Object
}

func (c *crowd) count() (count int) {
	for _, one := range c.all {
		count += one.count
	}
	return count
}

// crowdOf are the objects of a kind, of which there may be none.
func (c *checker) crowdOf(resource cluster.Resource) *crowd {
	same := func(one *crowd) bool { return one.resource.GroupResource() == resource.GroupResource() }
	if at := slices.IndexFunc(c.crowds, same); at >= 0 {
		return c.crowds[at]
	}
	return &crowd{resource: resource}
}

// crowdsOf counts the objects of an inventory, by kind and namespace, sorted by both.
func crowdsOf(inventory *session.Inventory) (crowds []*crowd) {
	last := func() *crowd { return crowds[len(crowds)-1] }
	known := map[string]*crowd{}
	for _, one := range inventory.Crowds() {
		name := one.Resource.QualifiedName()
		if known[name] == nil {
			known[name] = &crowd{resource: one.Resource}
			crowds = append(crowds, known[name])
		}
		last().all = append(last().all, place{one.Count, session.Named(one.Resource, one.Namespace, one.First)})
	}
	for _, object := range inventory.Held { // sorted by kind, then by name
		if !object.Terminating() {
			of := known[object.Resource.QualifiedName()]
			of.live = counted(of.live, object)
		}
	}
	return crowds
}

// addNamespace adds the namespace itself to what is looked at: it may be deleted, too.
func (c *checker) addNamespace() {
	resource, served := c.catalog.Find(cluster.Namespaces().GroupResource())
	if c.namespace != "" && served && len(c.crowds) > 0 {
		itself := session.Named(resource, "", c.namespace)
		c.crowds = append(c.crowds, &crowd{resource: resource, all: []place{{1, itself}}})
	}
}

// counted adds an object to places.
func counted(places []place, object *session.Object) []place {
	at := slices.IndexFunc(places, func(one place) bool { return one.example.Ref.Namespace == object.Ref.Namespace })
	if at < 0 {
		return append(places, place{1, object})
	}
	places[at].count++
	return places
}
