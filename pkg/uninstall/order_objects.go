package uninstall

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// order says which objects are deleted before which. Objects are named by their place in a list.
type order struct {
	objects []*session.Object
	members []*session.Object // the objects, and what is deleted with them
	places  map[string]int    // by uid, of the objects, and of the ones with which members are deleted
	before  []map[int]bool    // by place, the ones that are deleted before it
}

// newOrder begins an order of the objects that no other one of some objects owns.
func newOrder(all []*session.Object) *order {
	top := tops(all)
	o := &order{objects: top, members: all, places: map[string]int{}, before: make([]map[int]bool, len(top))}
	for i, object := range top {
		o.places[object.Ref.UID] = i
		o.before[i] = map[int]bool{}
	}
	for range deepest {
		for _, object := range all {
			for _, owner := range object.Meta.OwnerReferences {
				place, known := o.places[string(owner.UID)]
				if _, placed := o.places[object.Ref.UID]; known && !placed {
					o.places[object.Ref.UID] = place
				}
			}
		}
	}
	return o
}

// put has one object deleted before another one, unless the other way round is known already.
func (o *order) put(first, then int) {
	if first != then && !o.before[first][then] {
		o.before[then][first] = true
	}
}

// byWaits has what is waited for deleted before what waits for it, as a preview of all deletions together shows.
func (o *order) byWaits(foreseen []graph.Node, edges []graph.Edge) {
	for _, edge := range edges {
		waits, known := o.places[foreseen[edge.From].Ref.UID]
		blocks, both := o.places[foreseen[edge.To].Ref.UID]
		if edge.Type == finding.WaitsFor && known && both {
			o.put(blocks, waits)
		}
	}
}

// byReferences has what names another object in its spec deleted before that one: its controller may need the other one
// to clean up.
func (o *order) byReferences() {
	named := map[string][]*session.Object{}
	for _, object := range o.members {
		named[object.Ref.Name] = append(named[object.Ref.Name], object)
	}
	for _, user := range o.members {
		if user.Whole == nil {
			continue
		}
		for _, reference := range slices.Concat(statuses.References(user.Whole), statuses.PlainNames(user.Whole)) {
			for _, used := range named[reference.Name] {
				if reference.InSpec() && reference.Fits(referentFor(user, used, reference), user.Ref.Namespace) {
					o.put(o.places[user.Ref.UID], o.places[used.Ref.UID])
				}
			}
		}
	}
}

// referentFor is an object that another one may name. In its own group, the last words of a kind's name are enough for
// that: the project of an Application is an AppProject.
func referentFor(user, used *session.Object, reference statuses.Reference) statuses.Referent {
	meant := referent(used)
	for _, kind := range reference.Kinds {
		if user.Resource.Group == used.Resource.Group && statuses.KindEndsWith(meant.Kind, kind) {
			meant.Singular = kind
		}
	}
	return meant
}

func referent(object *session.Object) statuses.Referent {
	return statuses.Referent{
		Group: object.Resource.Group, Kind: object.Resource.Kind, Plural: object.Resource.Resource,
		Singular: object.Resource.Singular, Namespace: object.Ref.Namespace, Name: object.Ref.Name, UID: object.Ref.UID,
	}
}

// levels are the objects in the order in which they are deleted: all of a level at the same time. Those of a circle are
// in one level, with all that follows them.
func (o *order) levels() (levels [][]*session.Object) {
	done := make([]bool, len(o.objects))
	for left := len(o.objects); left > 0; {
		var level []int
		for i := range o.objects {
			if !done[i] && o.isFree(i, done) {
				level = append(level, i)
			}
		}
		if len(level) == 0 {
			for i := range o.objects {
				if !done[i] {
					level = append(level, i)
				}
			}
		}
		objects := make([]*session.Object, len(level))
		for at, i := range level {
			objects[at], done[i] = o.objects[i], true
		}
		levels, left = append(levels, objects), left-len(level)
	}
	return levels
}

func (o *order) isFree(place int, done []bool) bool {
	for first := range o.before[place] {
		if !done[first] {
			return false
		}
	}
	return true
}

// tops are the objects that no other of them owns: what is owned is deleted with its owner, and a controller would
// create it again before that.
func tops(objects []*session.Object) (top []*session.Object) {
	known := map[string]bool{}
	for _, object := range objects {
		known[object.Ref.UID] = true
	}
	for _, object := range objects {
		owned := slices.ContainsFunc(object.Meta.OwnerReferences, func(owner metav1.OwnerReference) bool {
			return known[string(owner.UID)] && string(owner.UID) != object.Ref.UID
		})
		if !owned {
			top = append(top, object)
		}
	}
	if len(top) == 0 { // they own each other
		return objects
	}
	return top
}

// mostRead is how many objects are read for what their specs name.
const mostRead = 1000

// orderOf orders objects by what they name, and by what a preview of all deletions together shows.
func (p *planner) orderOf(ctx context.Context, objects []*session.Object, all *result.Preview) [][]*session.Object {
	read := objects
	if len(read) > mostRead {
		read = read[:mostRead]
		p.found.note(finding.Finding{
			Situation: "UninstallNotAllRead",
			Details:   finding.CheckedDetails{Asked: mostRead, More: len(objects) - mostRead},
		})
	}
	p.tools.Session.Wholes(ctx, read)
	o := newOrder(objects)
	o.byReferences() // which a preview takes for a sign of the contrary, where nothing else shows what is waited for
	if all != nil {
		o.byWaits(all.Graph.Nodes, all.Graph.Edges)
	}
	return o.levels()
}
