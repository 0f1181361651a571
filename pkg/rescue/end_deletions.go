package rescue

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// letGo ends the deletions: no object of a name can be created before the former one is gone.
func (r *returning) letGo(ctx context.Context) {
	r.deleteClaims()
	r.stopUsers(ctx)
	r.forceOut()
	r.waitUntilGone()
}

// deleteClaims deletes the claims of volumes that were deleted under them: this volume stays as long as its claim
// (docs/deletion.md#volume-protection).
func (r *returning) deleteClaims() {
	for _, saved := range r.p.files {
		if saved.of != nil && saved.again && !saved.of.gone && !saved.object.Terminating() && saved.of.object.Terminating() {
			details := finding.RescueDetails{Object: &saved.object.Ref, Other: &saved.of.object.Ref}
			r.p.back(finding.Remedy{Step: "DeleteClaimBelow", Details: details},
				r.p.kubectl().Command(saved.object, "delete", "--wait=false"))
		}
	}
}

// stopUsers stops the pods that use claims which have to go (docs/deletion.md#claim-protection). A StatefulSet is
// scaled to zero: it would create its claims anew, without the volumes.
func (r *returning) stopUsers(ctx context.Context) {
	if r.p.target.Is("", "Namespace") {
		return // whose pods are deleted
	}
	used := map[string]map[string]bool{} // by namespace
	for _, saved := range r.p.files {
		if saved.stage == claims && saved.again && (saved.of == nil || !saved.of.gone) {
			namespace := saved.object.Ref.Namespace
			if used[namespace] == nil {
				used[namespace] = map[string]bool{}
			}
			used[namespace][saved.object.Ref.Name] = true
		}
	}
	for _, namespace := range slices.Sorted(maps.Keys(used)) {
		for _, pod := range r.usersOf(ctx, namespace, used[namespace]) {
			r.stopUser(ctx, pod)
		}
	}
}

// usersOf are the pods in a namespace that have a node and use one of some claims, by name.
func (r *returning) usersOf(ctx context.Context, namespace string, names map[string]bool) (users []*session.Object) {
	listed, err := r.p.tools.Session.Reader.List(ctx, cluster.Pods(), namespace, cluster.Selector{})
	if err != nil {
		return nil // it is among what could not be read
	}
	for i := range listed {
		pod, err := session.As[corev1.Pod](&listed[i])
		uses := func(volume corev1.Volume) bool {
			return volume.PersistentVolumeClaim != nil && names[volume.PersistentVolumeClaim.ClaimName]
		}
		if err != nil || pod.Spec.NodeName == "" || !slices.ContainsFunc(pod.Spec.Volumes, uses) {
			continue
		}
		if object, err := session.FromWhole(cluster.Pods(), &listed[i]); err == nil {
			users = append(users, object)
		}
	}
	return users
}

// stopUser stops a pod, through its StatefulSet if it has one that is not being deleted.
func (r *returning) stopUser(ctx context.Context, pod *session.Object) {
	owner := metav1.GetControllerOfNoCopy(pod.Meta)
	if owner == nil || owner.Kind != "StatefulSet" || (finding.Ref{APIVersion: owner.APIVersion}).Group() != "apps" {
		if !pod.Terminating() {
			r.p.back(finding.Remedy{Step: "StopUser", Details: rescueOf(pod)},
				r.p.kubectl().Command(pod, "delete", "--wait=false"))
		}
		return
	}
	set, err := r.p.tools.Session.Read(ctx, cluster.StatefulSets(), pod.Ref.Namespace, owner.Name)
	if err != nil || set.Terminating() || slices.Contains(r.stopped, set.Ref) {
		return
	}
	r.stopped = append(r.stopped, set.Ref)
	details := finding.RescueDetails{Object: &set.Ref, Other: &pod.Ref}
	r.p.back(finding.Remedy{Step: "StopSet", Details: details}, r.retainClaims(set), r.scale(set.Ref, 0))
}

// retainClaims has a StatefulSet keep its claims when it is scaled down.
func (r *returning) retainClaims(set *session.Object) finding.Command {
	keep := nested([]string{"spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"}, "Retain")
	return r.p.kubectl().Command(set, "patch", "--type", "merge", "-p", encoded(keep))
}

func (r *returning) scale(workload finding.Ref, replicas int64) finding.Command {
	return r.p.kubectl().CommandFor(workload, "scale", fmt.Sprintf("--replicas=%d", replicas))
}

// forceOut removes finalizers by force whose controllers were kept from acting: what they would have deleted is to
// stay. What one command can do together is one step.
func (r *returning) forceOut() {
	var forced []*outside
	for _, found := range r.p.outside {
		if found.forced() && (found.object.Terminating() || r.p.isContainer() && r.p.goes(found.object)) {
			forced = append(forced, found) // what isn't being deleted stays, if the steps before are carried out
		}
	}
	r.deleteNow(forced)
	for _, group := range joinedKinds(forced) {
		var commands []finding.Command
		for _, together := range session.Together(objectsOf(group)) {
			command := r.p.kubectl().RemoveAll(together, finalizersOf(group), "--ignore-not-found")
			if objection := group[0].objection(); objection != "" {
				command = append(command, "--override", string(objection))
			}
			commands = append(commands, command)
		}
		details := ofGroup(group)
		details.Finalizers = finalizersOf(group)
		r.p.back(finding.Remedy{Step: "ForceOut", Details: details}, commands...)
	}
}

// joinedKinds puts together what one command removes: finalizers whose controllers don't act for the same reason. An
// object that has a finalizer of the others, which is not to be removed from it, is not among them.
func joinedKinds(forced []*outside) (groups [][]*outside) {
	for _, one := range alike(forced, func(found *outside) string {
		return finding.KeyOf(found.finalizer, found.objection(), found.object.Ref.Kind)
	}) {
		at := slices.IndexFunc(groups, func(group []*outside) bool {
			return group[0].objection() == one[0].objection() && group[0].known.Creates() == one[0].known.Creates() &&
				onlyThese(slices.Concat(group, one))
		})
		if at < 0 {
			groups = append(groups, one)
			continue
		}
		groups[at] = append(groups[at], one...)
	}
	return groups
}

// onlyThese reports whether no object has a finalizer of another one that is not to be removed from it, and each is
// there once.
func onlyThese(group []*outside) bool {
	all := finalizersOf(group)
	for _, found := range group {
		for _, finalizer := range found.object.Meta.Finalizers {
			if finalizer != found.finalizer && slices.Contains(all, finalizer) {
				return false
			}
		}
	}
	return true
}

// finalizersOf are the finalizers of some objects that are to be removed, each once.
func finalizersOf(group []*outside) (names []string) {
	for _, found := range group {
		if !slices.Contains(names, found.finalizer) {
			names = append(names, found.finalizer)
		}
	}
	return names
}

// deleteNow deletes what goes with its namespace or definition, unless it is being deleted: its turn may not have come
// when the plan is made, and its finalizer would then hold it for ever.
func (r *returning) deleteNow(forced []*outside) {
	var left []*session.Object
	for _, object := range objectsOf(forced) {
		if !object.Terminating() && !slices.Contains(left, object) {
			left = append(left, object)
		}
	}
	if len(left) == 0 {
		return
	}
	details := finding.RescueDetails{
		Object: &left[0].Ref, Other: &r.p.target.Ref, Names: named(left), Count: len(left),
	}
	r.p.back(finding.Remedy{Step: "DeleteNow", Details: details},
		r.p.kubectl().ForAll(left, "delete", "--wait=false", "--ignore-not-found")...)
}

// forced reports whether nothing but force ends the deletion while what the object stands for is kept.
func (o *outside) forced() bool {
	switch o.way {
	case byPause, byStop:
		return true
	case isKept, bySetting:
		return !o.acts() || o.paused()
	}
	return false
}

// objection is what the diagnosis objects to the removal by then: why the controller doesn't do it.
func (o *outside) objection() finding.Reason {
	switch {
	case o.presence.State == attribution.Missing:
		return ""
	case o.way == byPause, o.way != byStop && o.acts():
		return finding.ReconciliationPaused
	}
	return finding.ControllerDown
}

// waitUntilGone waits until what is created again is gone. What is in a namespace or of a definition is gone before it.
func (r *returning) waitUntilGone() {
	var waited []*session.Object
	for _, saved := range r.p.files {
		within := r.p.isContainer() && !r.p.is(saved.object) && saved.stage != volumes && saved.stage != definitions
		if saved.again && saved.copied == nil && !within && !r.isGone(saved) {
			waited = append(waited, saved.object)
		}
	}
	if len(waited) == 0 {
		return
	}
	asked := waited[0]
	if slices.ContainsFunc(waited, r.p.is) {
		asked = r.p.target
	}
	wait := r.p.kubectl().ForAll(waited, "wait", "--for=delete", "--timeout=10m")
	r.p.back(finding.Remedy{Step: "WaitUntilGone", Details: rescueOf(asked)},
		append(wait, r.p.kubectl().Why(asked, "--ignore-not-found"))...)
}

// isGone reports whether an object was gone when the plan was made.
func (r *returning) isGone(saved *file) bool {
	return saved.of != nil && saved.of.gone || r.p.gone && r.p.is(saved.object)
}
