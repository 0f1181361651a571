package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podGroupProtection explains scheduling.k8s.io/podgroup-protection: a PodGroup stays while a pod that has not ended
// belongs to it, one that no node runs yet included (docs/deletion.md#podgroup-protection). If the feature gate
// GenericWorkload is off, there are no PodGroups.
func podGroupProtection(ctx context.Context, t *Tools, held Held) Answer {
	// No field selector knows a pod's group; one by phase leaves out the ones that have ended.
	namespace, selector := held.Ref.Namespace, cluster.Selector{Fields: "status.phase!=Succeeded,status.phase!=Failed"}
	pods, err := session.ListWhole[corev1.Pod](ctx, t.Session, cluster.Pods(), namespace, selector)
	if err != nil {
		return session.Unread(unreadKind("pods", namespace), err)
	}
	answer := Answer{}
	for _, pod := range pods {
		group := pod.Typed.Spec.SchedulingGroup
		if group == nil || group.PodGroupName == nil || *group.PodGroupName != held.Ref.Name || podEnded(pod.Typed) {
			continue
		}
		use := finding.Phrase{Situation: "BelongsToPodGroup"}
		answer.Waits = append(answer.Waits, podUser(ctx, t.Health, pod.Object, pod.Typed, use))
	}
	if len(answer.Waits) == 0 {
		return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReleasePodGroup"})
	}
	return answer
}
