package diagnosis

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// losses are what goes with objects once they go.
type losses struct {
	found  *expansion
	groups *grouping
	taken  map[*group][]finding.Taken // what goes with the objects that wait for a cause
	takes  []finding.Taken            // what goes with all Terminating objects
	paths  map[string][]int           // the numbers of objects by what commands name them by
}

// look finds out what goes with each Terminating object of the graph once it goes. What a Namespace and a
// definition take along is Terminating already, and is in the graph as far as it is held; a Node is drained first.
func (l *losses) look(ctx context.Context) {
	l.taken = map[*group][]finding.Taken{}
	l.readLineages(ctx)
	var ahead []*session.Object
	below := map[int]*loss.Following{}
	for node, described := range l.found.graph.Nodes() {
		object := l.found.objects[node]
		if !described.Terminating || object == nil || container(object) || ctx.Err() != nil {
			continue
		}
		below[node] = l.found.tools.Losses.Follow(ctx, object, l.near)
		ahead = append(append(ahead, object), below[node].Carriers...)
	}
	l.found.tools.Losses.ReadAhead(ctx, ahead)
	for node := range l.found.graph.Nodes() {
		object := l.found.objects[node]
		if below[node] == nil {
			continue
		}
		taken := l.found.tools.Losses.With(ctx, object)
		taken = append(taken, l.found.tools.Losses.Tell(ctx, below[node])...)
		taken = append(taken, l.unfollowed(object)...)
		if len(taken) == 0 {
			continue
		}
		for _, joined := range l.groups.numbered(l.groups.carriedTo(node).groups) {
			l.taken[joined] = append(l.taken[joined], taken...)
		}
		l.takes = append(l.takes, taken...)
	}
}

func container(object *session.Object) bool {
	return object.Is("", "Namespace") || object.Is("", "Node") ||
		object.Is("apiextensions.k8s.io", "CustomResourceDefinition")
}

// empties reports whether what is in a Terminating object is being deleted, whatever a step removes from it.
func empties(object *session.Object) bool { return container(object) && !object.Is("", "Node") }

// weigh adds to remedies what goes with the objects that they let go (dependents at a removal by force only), puts the
// step before them that keeps the data of volumes, and the steps that lose something last.
func (l *losses) weigh(ctx context.Context, remedies []finding.Remedy, waiting []finding.Taken) []finding.Remedy {
	weighed, all := slices.Clone(remedies), slices.Clone(waiting)
	heavier := false
	for i, remedy := range weighed {
		if !remedy.LetsGo() {
			continue
		}
		released := waiting
		if !remedy.Forces() { // the deletion that was asked for takes dependents, whatever ends the wait
			released = slices.DeleteFunc(slices.Clone(waiting), finding.Taken.Depends)
		}
		taken := released
		for _, command := range remedy.Commands() {
			taken = slices.Concat(taken, l.takenByDeleting(ctx, command))
			if remedy.Forces() {
				taken = l.withForce(ctx, command, taken)
			}
		}
		taken = loss.Distinct(taken)
		weighed[i].Taken, weighed[i].Risk = taken, remedy.Risk.Worse(finding.WorstOf(taken))
		heavier = heavier || weighed[i].Risk != remedy.Risk
		all = append(all, taken...)
	}
	if heavier {
		order := []finding.Risk{finding.NoRisk, finding.Disruption, finding.Orphans, finding.DataLoss}
		slices.SortStableFunc(weighed, func(a, b finding.Remedy) int {
			return slices.Index(order, a.Risk) - slices.Index(order, b.Risk)
		})
	}
	if first, needed := loss.Retain(l.found.tools.Session.Kubectl, all); needed {
		weighed = slices.DeleteFunc(weighed, func(remedy finding.Remedy) bool {
			same := func(command finding.Command) bool { return slices.Equal(command, remedy.Command) }
			return remedy.Retains() != nil ||
				finding.Is(remedy.Step, finding.AfterDeletion) && slices.ContainsFunc(first.Commands(), same)
		})
		weighed = slices.Insert(weighed, 0, first)
	}
	return l.found.keepable(ctx, weighed)
}

// takenByDeleting is what goes with the objects that a command deletes, and after them. What depends on an object that
// is Terminating goes because of the deletion that was asked for, unless that was to leave it alone.
func (l *losses) takenByDeleting(ctx context.Context, command finding.Command) (taken []finding.Taken) {
	for _, object := range l.deletedBy(ctx, command) {
		taken = append(taken, l.found.tools.Losses.Deleting(ctx, object)...)
		switch {
		case !object.Terminating() && !slices.Contains(command, "--cascade=orphan"):
			taken = append(taken, l.found.tools.Losses.Dependents(ctx, object, l.near)...)
			taken = append(taken, l.unfollowed(object)...)
		case object.Terminating() && slices.Contains(command, "--cascade=background"):
			taken = append(taken, l.unorphaned(ctx, object)...)
		}
	}
	return taken
}

// named are the objects of the graph that a command names by RESOURCE/NAME, in a namespace; by RESOURCE alone, all of
// that resource there, or in all namespaces with "*".
func (l *losses) named(path, namespace string) (objects []*session.Object) {
	if l.paths == nil {
		l.paths = map[string][]int{}
		for node := range l.found.graph.Nodes() {
			if object := l.found.objects[node]; object != nil {
				resource := object.Resource.QualifiedName()
				for _, place := range []string{object.Ref.Namespace, "*"} {
					l.paths[place+" "+resource] = append(l.paths[place+" "+resource], node)
				}
				key := object.Ref.Namespace + " " + resource + "/" + object.Ref.Name
				l.paths[key] = append(l.paths[key], node)
			}
		}
	}
	return finding.Each(l.paths[namespace+" "+path], func(node int) *session.Object { return l.found.objects[node] })
}

// releasedBy are the objects of the graph that a removal by force names, or finds by the finalizers that hold them.
func (l *losses) releasedBy(command finding.Command) (objects []*session.Object) {
	forced := removedBy(command)
	namespace := strings.Join(command.Values("-n"), "")
	if slices.Contains(command, "-A") {
		namespace = "*"
	}
	released := func(hold finding.Hold) bool { return slices.Contains(forced, hold) }
	for _, word := range command.Releases() {
		named := l.named(word, namespace)
		if !strings.Contains(word, "/") {
			named = slices.DeleteFunc(named, func(object *session.Object) bool {
				return !slices.ContainsFunc(object.Holds(), released)
			})
		}
		objects = append(objects, named...)
	}
	return objects
}

// removedBy are the finalizers that a removal by force names.
func removedBy(command finding.Command) []finding.Hold {
	return finding.Each(command.Values("--finalizer"), func(name string) finding.Hold {
		return finding.Hold{Type: finding.Finalizer, Name: name}
	})
}

// unorphaned is what the garbage collector deletes after an object that was to leave its dependents alone
// (--cascade=orphan), if that is revoked or its finalizer is removed by force.
func (l *losses) unorphaned(ctx context.Context, object *session.Object) []finding.Taken {
	at := slices.IndexFunc(object.Holds(), isOrphan)
	if at < 0 {
		return nil // they are taken into account without that
	}
	return l.found.tools.Losses.Dependents(ctx, object, l.near, object.Holds()[at])
}

func isOrphan(hold finding.Hold) bool { return hold.Name == metav1.FinalizerOrphanDependents }

// withForce is about an object that a command releases by force: it replaces what would be deleted with it if its
// controllers did their work by what is deleted then. The remedy itself names storage that is left behind.
func (l *losses) withForce(ctx context.Context, command finding.Command, taken []finding.Taken) []finding.Taken {
	forced := removedBy(command)
	for _, object := range l.releasedBy(command) {
		ref := object.Ref
		taken = slices.DeleteFunc(taken, func(one finding.Taken) bool {
			return one.Object.SameAs(ref) && !one.Depends()
		})
		if !empties(object) {
			taken = append(taken, l.found.tools.Losses.With(ctx, object, forced...)...)
		}
		if slices.ContainsFunc(forced, isOrphan) {
			taken = append(taken, l.unorphaned(ctx, object)...)
		}
	}
	return slices.DeleteFunc(taken, func(one finding.Taken) bool {
		return finding.Is(one.Situation, finding.Forgotten)
	})
}

// goesWith is what goes with all that is Terminating in the graph, and the step that keeps the data of volumes.
func (l *losses) goesWith(ctx context.Context) (told []finding.Taken, keep *finding.Remedy) {
	told = finding.TellTaken(voiceOf(l.found.tools), loss.Distinct(l.takes))
	if first, needed := loss.Retain(l.found.tools.Session.Kubectl, l.takes); needed {
		keep = &voiceOf(l.found.tools).Remedies(l.found.keepable(ctx, []finding.Remedy{first}))[0]
	}
	return told, keep
}

// keepAll makes the step that keeps the data of all volumes the first one about the first cause, where the causes' own
// steps keep only some: the others are lost too, as soon as the deletion continues. It replaces the steps that keep
// some of them.
func keepAll(causes []result.RootCause, keep *finding.Remedy) {
	if keep == nil || len(causes) == 0 {
		return
	}
	var kept []string
	for _, cause := range causes {
		for _, remedy := range cause.Remedies {
			kept = append(kept, remedy.Retains()...)
		}
	}
	all := keep.Retains()
	if !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(kept, name) }) {
		return
	}
	some := func(remedy finding.Remedy) bool {
		other := func(name string) bool { return !slices.Contains(all, name) }
		return len(remedy.Retains()) > 0 && !slices.ContainsFunc(remedy.Retains(), other)
	}
	for i, cause := range causes {
		if i == 0 || slices.ContainsFunc(cause.Remedies, some) {
			causes[i].Remedies = append([]finding.Remedy{*keep}, slices.DeleteFunc(slices.Clone(cause.Remedies), some)...)
		}
	}
}
