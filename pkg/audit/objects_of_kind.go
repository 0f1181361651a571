package audit

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// crowd are the objects of one kind.
type crowd struct {
	resource cluster.Resource
	all      []place // by name alone
	live     []place // with finalizers, and not being deleted
	owned    []place // with owners, and not being deleted
}

// place is how many objects of a kind there are in a namespace, with the name of one of them, or itself.
type place struct {
	session.Local
	seen *session.Object
}

// example is one of the objects there.
func (p place) example(resource cluster.Resource) *session.Object {
	if p.seen != nil {
		return p.seen
	}
	return session.Named(resource, p.Namespace, p.First)
}

func (c *crowd) count() (count int) {
	for _, one := range c.all {
		count += one.Count
	}
	return count
}

// crowdOf returns the objects of a kind. There may be none.
func (c *checker) crowdOf(resource cluster.Resource) *crowd {
	same := func(one *crowd) bool { return one.resource.GroupResource() == resource.GroupResource() }
	if at := slices.IndexFunc(c.crowds, same); at >= 0 {
		return c.crowds[at]
	}
	return &crowd{resource: resource}
}

// crowdsOf counts the objects of an inventory, by kind and namespace, sorted by both.
func crowdsOf(inventory *session.Inventory) (crowds []*crowd) {
	known := map[schema.GroupResource]*crowd{}
	for _, one := range inventory.Crowds() {
		of := &crowd{resource: one.Resource}
		for _, local := range one.In {
			of.all = append(of.all, place{Local: local})
		}
		known[one.Resource.GroupResource()] = of
		crowds = append(crowds, of)
	}
	for _, object := range inventory.Held {
		if !object.Terminating() {
			of := known[object.Resource.GroupResource()]
			of.live = counted(of.live, object)
		}
	}
	for _, object := range inventory.Owned {
		if !object.Terminating() {
			of := known[object.Resource.GroupResource()]
			of.owned = counted(of.owned, object)
		}
	}
	return crowds
}

// addNamespace adds the namespace itself to what is looked at: it may be deleted, too.
func (c *checker) addNamespace() {
	resource, served := c.servedKinds.Find(cluster.Namespaces().GroupResource())
	if c.namespace != "" && served && len(c.crowds) > 0 {
		itself := place{Local: session.Local{First: c.namespace, Count: 1}}
		c.crowds = append(c.crowds, &crowd{resource: resource, all: []place{itself}})
	}
}

// counted adds an object to places. What is in one namespace comes in a row.
func counted(places []place, object *session.Object) []place {
	last := len(places) - 1
	if last < 0 || places[last].Namespace != object.Ref.Namespace {
		local := session.Local{Namespace: object.Ref.Namespace, First: object.Ref.Name, Count: 1}
		return append(places, place{local, object})
	}
	places[last].Count++
	return places
}
