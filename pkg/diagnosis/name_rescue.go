package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// rescue is the command that says what can still be kept of a target that is being deleted: where data of volumes goes
// with what is Terminating, or something outside of the cluster, by the catalogue. Else it is empty.
func (r *run) rescue(object *session.Object, answer *result.Diagnosis) finding.Command {
	loses := slices.ContainsFunc(answer.Takes, func(lost finding.Taken) bool { return lost.Volume() != "" })
	if !object.Terminating() || !loses && !r.losesOutside(answer.RootCauses) {
		return nil
	}
	return r.tools.Session.Kubectl.Rescue(object)
}

// losesOutside reports whether a Terminating custom resource stands for something outside of the cluster. While no
// controller runs, that stays.
func (r *run) losesOutside(causes []result.RootCause) bool {
	runs := func(cause result.RootCause) bool {
		return cause.Reason != finding.ControllerMissing && cause.Reason != finding.ControllerDown
	}
	if len(causes) > 0 && !slices.ContainsFunc(causes, runs) {
		return false
	}
	for node, described := range r.found.graph.Nodes() {
		object := r.found.objects[node]
		if object == nil || !described.Terminating || cluster.ServedByKubernetes(object.Resource.Group) {
			continue
		}
		for _, hold := range object.Holds() {
			known, is := r.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
			if is && slices.Contains(known.Guards, plugins.GuardExternal) {
				return true
			}
		}
	}
	return false
}
