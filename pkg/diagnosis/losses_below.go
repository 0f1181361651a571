package diagnosis

import (
	"context"
	"maps"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fewLineages is in how many namespaces dependents are looked for one by one; for more, it is all of them at once.
const fewLineages = 3

// readLineages looks for what goes after objects that are to be removed by force, if nothing has read who depends on
// them: among the kinds that take data along, which are few. What else depends on them is for the plan of the removal.
func (r *run) readLineages(ctx context.Context) {
	if r.tools.Session.Foresees { // preview lists everything
		return
	}
	wanted := map[string][]cluster.Resource{}
	for node := range r.graph.Nodes() {
		object := r.objects[node]
		if object == nil || !object.Terminating() || container(object) || ownsNothing(object) || !r.forced(node) ||
			r.tools.Session.Owners.Indexed(object) {
			continue
		}
		if wanted[object.Ref.Namespace] == nil {
			wanted[object.Ref.Namespace] = r.tools.Losses.Sought(ctx, object)
		}
	}
	if all := wanted[""]; all != nil {
		wanted = map[string][]cluster.Resource{"": all}
	} else if len(wanted) > fewLineages {
		wanted = map[string][]cluster.Resource{"": slices.Collect(maps.Values(wanted))[0]}
	}
	var reads []func()
	for namespace, kinds := range wanted {
		reads = append(reads, func() { r.tools.Session.Owners.Lineage(ctx, kinds, namespace) })
	}
	session.SideBySide(reads)
}

// forced reports whether a removal by force is offered for a cause at a node.
func (r *run) forced(node int) bool {
	return slices.ContainsFunc(r.at(node).causes, func(number int) bool {
		return slices.ContainsFunc(r.causes[number].Remedies, finding.Remedy.Forces)
	})
}

// ownsNothing reports whether no object names one of this kind as its owner: what uses it names it in its spec.
func ownsNothing(object *session.Object) bool {
	return object.Is("", "PersistentVolume") || object.Is("storage.k8s.io", "VolumeAttachment")
}

// near returns the objects that name one as an owner, as far as that has been read.
func (r *run) near(owner *session.Object) []*session.Object {
	known := r.tools.Session.Owners.KnownReferrers(owner)
	if line := r.tools.Session.Owners.KnownLineage(owner); line != nil {
		known = append(known, line.Below(owner)...)
	}
	return known
}

// unfollowed says what could not be looked at of what goes after an object, if that was looked for.
func (r *run) unfollowed(object *session.Object) (taken []finding.Taken) {
	line := r.tools.Session.Owners.KnownLineage(object)
	if line == nil || ownsNothing(object) {
		return nil
	}
	taken = loss.Unlisted(object, line.Unread)
	if line.Cut {
		taken = append(taken, loss.Uncounted(object)...)
	}
	return taken
}
