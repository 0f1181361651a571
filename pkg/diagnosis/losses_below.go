package diagnosis

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fewLineages is in how many namespaces dependents are looked for one by one; for more, it is all of them at once.
const fewLineages = 3

// readLineages looks for what goes after objects that are to be removed by force, or that a step deletes, if nothing
// has read who depends on them: among the kinds that take data along, which are few. What else depends on them is for
// the plan of the removal.
func (l *losses) readLineages(ctx context.Context) {
	if l.found.tools.Session.Foresees { // preview lists everything
		return
	}
	wanted := map[string][]cluster.Resource{}
	for _, object := range l.released(ctx) {
		if container(object) || ownsNothing(object) || l.found.tools.Session.Owners.Indexed(object) {
			continue
		}
		if wanted[object.Ref.Namespace] == nil {
			wanted[object.Ref.Namespace] = l.found.tools.Losses.Sought(ctx, object)
		}
	}
	if all := wanted[""]; all != nil {
		wanted = map[string][]cluster.Resource{"": all}
	} else if len(wanted) > fewLineages {
		wanted = map[string][]cluster.Resource{"": slices.Collect(maps.Values(wanted))[0]}
	}
	var reads []func()
	for namespace, kinds := range wanted {
		reads = append(reads, func() { l.found.tools.Session.Owners.Lineage(ctx, kinds, namespace) })
	}
	session.SideBySide(reads)
}

// released are the objects that some step removes by force, or deletes although they were not deleted yet.
func (l *losses) released(ctx context.Context) (objects []*session.Object) {
	for node := range l.found.graph.Nodes() {
		if object := l.found.objects[node]; object != nil && object.Terminating() && l.found.forced(node) {
			objects = append(objects, object)
		}
	}
	for _, joined := range l.groups.all {
		for _, remedy := range joined.remedies() {
			if !remedy.LetsGo() {
				continue
			}
			objects = append(objects, l.forcedBy(remedy)...)
			for _, object := range l.deletedBy(ctx, remedy.Command) {
				if !object.Terminating() && !configures(object) {
					objects = append(objects, object)
				}
			}
		}
	}
	return objects
}

// deletedBy returns the objects that a command deletes. One that is not in the graph is read; where that fails, or it
// is gone, only its name is known.
func (l *losses) deletedBy(ctx context.Context, command finding.Command) (objects []*session.Object) {
	namespace := strings.Join(command.Values("-n"), "")
	for _, path := range command.Deletes() {
		kind, name, named := strings.Cut(path, "/")
		resource, served := l.found.tools.Session.ServedKinds(ctx).Find(schema.ParseGroupResource(kind))
		if !served || !named {
			continue
		}
		object := session.Named(resource, namespace, name)
		if !resource.Namespaced {
			object.Ref.Namespace = ""
		}
		objects = append(objects, l.known(ctx, object))
	}
	return objects
}

// known returns an object of the graph in place of one that only its name is known of, or the same as it is read.
func (l *losses) known(ctx context.Context, named *session.Object) *session.Object {
	path := named.Resource.QualifiedName() + "/" + named.Ref.Name
	if objects := l.named(path, named.Ref.Namespace); len(objects) > 0 {
		return objects[0]
	}
	if configures(named) {
		return named
	}
	meta, err := l.found.tools.Session.Reader.Metadata(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
	if err != nil {
		return named
	}
	return session.FromMetadata(named.Resource, meta)
}

// configures reports whether no data depend on an object by its owner references: what goes with a Pod is known by its
// spec, and the others are configuration of the cluster.
func configures(object *session.Object) bool {
	return object.Is("", "Pod") || object.Is("", "Node") || slices.Contains([]string{
		"admissionregistration.k8s.io", "apiregistration.k8s.io", "storage.k8s.io", "resource.k8s.io",
		"rbac.authorization.k8s.io",
	}, object.Resource.Group)
}

// forcedBy are the Terminating objects that a step removes by force: for a cause that is elsewhere, such as the
// workload of their controller, it names them. No data depend on what configures the cluster.
func (l *losses) forcedBy(remedy finding.Remedy) (objects []*session.Object) {
	if !remedy.Forces() {
		return nil
	}
	for _, command := range remedy.Commands() {
		objects = append(objects, l.releasedBy(command)...)
	}
	return slices.DeleteFunc(objects, func(object *session.Object) bool {
		return !object.Terminating() || configures(object)
	})
}

// forced reports whether a removal by force is offered for a cause at a node.
func (x *expansion) forced(node int) bool {
	return slices.ContainsFunc(x.at(node).causes, func(number int) bool {
		return slices.ContainsFunc(x.causes[number].Remedies, finding.Remedy.Forces)
	})
}

// ownsNothing reports whether no object names one of this kind as its owner: what uses it names it in its spec.
func ownsNothing(object *session.Object) bool {
	return object.Is("", "PersistentVolume") || object.Is("storage.k8s.io", "VolumeAttachment")
}

// near returns the objects that name one as an owner, as far as that has been read.
func (l *losses) near(owner *session.Object) []*session.Object {
	known := l.found.tools.Session.Owners.KnownReferrers(owner)
	if line := l.found.tools.Session.Owners.KnownLineage(owner); line != nil {
		known = append(known, line.Below(owner)...)
	}
	return known
}

// unfollowed says what could not be looked at of what goes after an object, if that was looked for.
func (l *losses) unfollowed(object *session.Object) (taken []finding.Taken) {
	line := l.found.tools.Session.Owners.KnownLineage(object)
	if line == nil || ownsNothing(object) {
		return nil
	}
	taken = loss.Unlisted(object, line.Unread)
	if line.Cut {
		taken = append(taken, loss.Uncounted(object)...)
	}
	return taken
}
