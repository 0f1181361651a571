package uninstall

import (
	"context"
	"slices"

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
	late    map[string]bool   // by uid, the ones that are deleted as late as the others allow
}

// newOrder begins an order of the objects that don't go with other ones of all, which are owned as ownersOf says. What
// something else owns, too, does not go with these: it is deleted after them.
func newOrder(all []*session.Object, ownersOf func(*session.Object) []*session.Object) *order {
	owned := &owned{all: uids(all), ownersOf: ownersOf}
	top := owned.tops(all)
	o := &order{objects: top, members: all, places: map[string]int{}, before: make([]map[int]bool, len(top))}
	for i, object := range top {
		o.places[object.Ref.UID] = i
		o.before[i] = map[int]bool{}
	}
	placed := func(owner *session.Object) bool { _, known := o.places[owner.Ref.UID]; return known }
	for _, object := range all {
		owners := owned.above(object)
		at := slices.IndexFunc(owners, placed)
		switch {
		case at < 0:
		case !placed(object):
			o.places[object.Ref.UID] = o.places[owners[at].Ref.UID]
		case !slices.Contains(owned.above(owners[at]), object): // else they own each other
			o.put(o.places[owners[at].Ref.UID], o.places[object.Ref.UID])
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
		level = o.early(level)
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

// early are those of a level that are not deleted as late as possible, if there are any.
func (o *order) early(level []int) []int {
	early := slices.DeleteFunc(slices.Clone(level), func(place int) bool { return o.late[o.objects[place].Ref.UID] })
	if len(early) == 0 {
		return level
	}
	return early
}

func (o *order) isFree(place int, done []bool) bool {
	for first := range o.before[place] {
		if !done[first] {
			return false
		}
	}
	return true
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
	o := newOrder(objects, p.found.survey.owners)
	o.byReferences() // which a preview takes for a sign of the contrary, where nothing else shows what is waited for
	if all != nil {
		o.byWaits(all.Graph.Nodes, all.Graph.Edges)
	}
	o.late = p.operatorsOwn(objects)
	return o.levels()
}
