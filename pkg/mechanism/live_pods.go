package mechanism

import (
	"cmp"
	"context"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// PodsOfLive says which pods are stuck of an object that was not deleted: pods of a workload, or on a Node, that have
// been Terminating for longer than their grace period, and, on a cordoned Node, pods that can't be evicted now; after
// that, why each budget lets none of them go. It reads the object, its pods, and the budgets of the pods on a cordoned
// Node, and what runs the first of these. It says nothing where the object or its pods can't be read, which is
// remembered.
func PodsOfLive(ctx context.Context, t *Tools, object *Object) []Finding {
	if object.Is("", "Node") {
		return podsOnLive(ctx, t, object)
	}
	run, isWorkload := podsRunBy(ctx, t.Session, t.Health, object)
	if !isWorkload {
		return nil
	}
	late := overdue(t.Session, finding.Each(run, func(pod *corev1.Pod) *Object {
		return session.FromMetadata(cluster.Pods(), &metav1.PartialObjectMetadata{ObjectMeta: pod.ObjectMeta})
	}))
	return tellPods(t.Session, object, finding.LivePodsDetails{}, late)
}

// podsRunBy returns the pods that a workload runs, itself or through its ReplicaSets.
func podsRunBy(
	ctx context.Context, reads *session.Session, checker *health.Checker, object *Object,
) (run []*corev1.Pod, isWorkload bool) {
	kinds := []string{"StatefulSet", "Deployment", "ReplicaSet", "DaemonSet"}
	isWorkload = object.Resource.Group == appsv1.GroupName && slices.Contains(kinds, object.Resource.Kind) ||
		object.Is(batchv1.GroupName, "Job")
	if !isWorkload {
		return nil, false
	}
	if _, err := reads.Whole(ctx, object); err != nil {
		return nil, false
	}
	selected, err := health.PodsOf(ctx, checker.Session, object)
	if err != nil {
		return nil, false
	}
	return slices.DeleteFunc(selected, func(pod *corev1.Pod) bool {
		owner := metav1.GetControllerOfNoCopy(pod)
		if owner == nil {
			return true
		}
		through := object.Resource.Kind == "Deployment" && owner.Kind == "ReplicaSet"
		return string(owner.UID) != object.Ref.UID && !through
	}), true
}

// podsOnLive looks at the pods on a Node that was not deleted.
func podsOnLive(ctx context.Context, t *Tools, node *Object) []Finding {
	typed, err := session.ReadAs[corev1.Node](ctx, t.Session, node)
	if err != nil {
		return nil
	}
	details := finding.LivePodsDetails{Cordoned: typed.Spec.Unschedulable}
	here, err := podsToEvict(ctx, t.Session, t.Plugins, &drain{held: Held{Object: node}, node: node, typed: typed})
	if err != nil {
		return tellPods(t.Session, node, details, nil)
	}
	var kept []Finding
	if details.Cordoned {
		kept = keptOnLive(ctx, t.Session, t.Health, node, here, &details)
	}
	late := overdue(t.Session, finding.Each(here, func(pod podItem) *Object { return pod.Object }))
	return append(tellPods(t.Session, node, details, late), kept...)
}

// overdue returns the pods that have been Terminating for longer than their grace period, the longest first.
func overdue(reads *session.Session, pods []*Object) []*Object {
	late := slices.DeleteFunc(slices.Clone(pods), func(pod *Object) bool {
		return !pod.Terminating() || reads.Now().Sub(pod.Meta.DeletionTimestamp.Time) < session.Patience
	})
	slices.SortStableFunc(late, func(a, b *Object) int { return a.RequestedAt().Compare(b.RequestedAt()) })
	return late
}

// tellPods is what is said of the pods of a live object, with the questions to ask next.
func tellPods(reads *session.Session, object *Object, details finding.LivePodsDetails, late []*Object) []Finding {
	cause := Finding{Situation: "PodsOfLive", Object: object.Ref}
	for i, pod := range late {
		details.Stuck = append(details.Stuck, pod.Ref)
		if i == 0 {
			details.Since = pod.RequestedAt()
			cause.Remedies = append(cause.Remedies, Remedy{
				Step: "AskAboutPod", Details: finding.StepDetails{Object: &pod.Ref}, Command: reads.Kubectl.Why(pod),
				Risk: finding.NoRisk,
			})
		}
		cause.Evidence = append(cause.Evidence, pod.Ref.Observed("deletionTimestamp %s; finalizers: %s",
			pod.Meta.DeletionTimestamp.UTC().Format(time.RFC3339), cmp.Or(finding.And(pod.Meta.Finalizers), "none")))
	}
	if details.Cordoned {
		cause.Evidence = append(cause.Evidence, object.Ref.Observed("spec.unschedulable is true"))
	}
	if !details.Cordoned && len(details.Stuck) == 0 {
		return nil
	}
	cause.Details = details
	return []Finding{cause}
}
