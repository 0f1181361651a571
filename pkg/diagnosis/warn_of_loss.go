package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// rescue adds the command that says what can still be kept of a target that is being deleted: where data of volumes or
// snapshots goes with what is Terminating, or will, when a namespace's pods are gone, or something outside of the
// cluster, by the catalogue. What is outside may be lost, by the settings of its project; it has a sentence, because
// nothing else in the answer names it.
func (r *run) rescue(object *session.Object, answer *result.Diagnosis) {
	if !object.Terminating() {
		return
	}
	loses := finding.RescueSummary{Outside: r.outside(answer.RootCauses)}
	keepable := func(lost finding.Taken) bool { return lost.Kept() != "" }
	for _, lost := range answer.Takes {
		if volume := lost.Volume(); volume != "" && !slices.Contains(loses.Volumes, volume) {
			loses.Volumes = append(loses.Volumes, volume)
		}
	}
	later := func(note finding.Finding) bool { return finding.Is(note.Situation, finding.TakesDataLater) }
	if len(loses.Outside) > 0 || slices.ContainsFunc(answer.Takes, keepable) ||
		slices.ContainsFunc(r.found.at(target).remarks, later) {
		answer.Rescue = r.tools.Session.Kubectl.Rescue(object)
	}
	if len(loses.Outside) > 0 {
		answer.Mistake = voiceOf(r.tools).Message(finding.Finding{
			Situation: "AboutToBeLost", Object: object.Ref, Details: loses,
		})
	}
}

// outside are the Terminating custom resources that stand for something outside of the cluster. While no controller
// runs, that stays.
func (r *run) outside(causes []result.RootCause) (found []finding.Ref) {
	runs := func(cause result.RootCause) bool {
		return cause.Reason != finding.ControllerMissing && cause.Reason != finding.ControllerDown
	}
	if len(causes) > 0 && !slices.ContainsFunc(causes, runs) {
		return nil
	}
	for node, described := range r.found.graph.Nodes() {
		object := r.found.objects[node]
		if object == nil || !described.Terminating || cluster.ServedByKubernetes(object.Resource.Group) {
			continue
		}
		external := func(hold finding.Hold) bool {
			known, is := r.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
			return is && slices.Contains(known.Guards, plugins.GuardExternal)
		}
		if slices.ContainsFunc(object.Holds(), external) {
			found = append(found, object.Ref)
		}
	}
	return found
}
