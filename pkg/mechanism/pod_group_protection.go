package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// podGroupProtection explains scheduling.k8s.io/podgroup-protection: a PodGroup stays while a pod that
// has not ended belongs to it, one that no node runs yet included (deletion-mechanics M14). Where the
// feature gate GenericWorkload is off, nobody has PodGroups.
func podGroupProtection(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Name != "scheduling.k8s.io/podgroup-protection" || !object.is("scheduling.k8s.io", "PodGroup") {
		return Answer{}, false
	}
	// No field selector knows a pod's group; one by phase leaves out those that have ended.
	namespace, selector := object.Ref.Namespace, cluster.Selector{Fields: "status.phase!=Succeeded,status.phase!=Failed"}
	pods, err := listWhole[corev1.Pod](ctx, w, cluster.Pods(), namespace, selector)
	if err != nil {
		return unread("pods in "+namespace, err), true
	}
	answer := Answer{}
	for _, pod := range pods {
		group := pod.typed.Spec.SchedulingGroup
		if group == nil || group.PodGroupName == nil || *group.PodGroupName != object.Ref.Name || podEnded(pod.typed) {
			continue
		}
		answer.Waits = append(answer.Waits, w.podUser(ctx, pod.object, pod.typed, "belongs to the group"))
	}
	if len(answer.Waits) == 0 {
		return w.overdue(ctx, w.release(object, hold, "podgroup-protection-controller", "release "+object.Ref.String()+", to which no unfinished pod belongs any more")), true
	}
	return answer, true
}
