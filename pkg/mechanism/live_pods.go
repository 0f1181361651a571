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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// PodsOfLive says which pods are stuck of an object that was not deleted: pods of a workload, or on a Node, that have
// been Terminating for longer than their grace period, and, on a cordoned Node, pods that can't be evicted now. It
// reads the object, its pods, and the budgets of the pods on a cordoned Node. It answers false where nothing is to be
// said, or the object or its pods can't be read, which is remembered.
func (t *Tools) PodsOfLive(ctx context.Context, object *Object) (Finding, bool) {
	if object.Is("", "Node") {
		return t.podsOnLive(ctx, object)
	}
	run, isWorkload := t.podsRunBy(ctx, object)
	if !isWorkload {
		return Finding{}, false
	}
	late := t.overdue(finding.Each(run, func(pod *corev1.Pod) *Object {
		return session.FromMetadata(cluster.Pods(), &metav1.PartialObjectMetadata{ObjectMeta: pod.ObjectMeta})
	}))
	return t.tellPods(object, finding.LivePodsDetails{}, late)
}

// podsRunBy returns the pods that a workload runs, itself or through its ReplicaSets.
func (t *Tools) podsRunBy(ctx context.Context, object *Object) (run []*corev1.Pod, isWorkload bool) {
	kinds := []string{"StatefulSet", "Deployment", "ReplicaSet", "DaemonSet"}
	isWorkload = object.Resource.Group == appsv1.GroupName && slices.Contains(kinds, object.Resource.Kind) ||
		object.Is(batchv1.GroupName, "Job")
	if !isWorkload {
		return nil, false
	}
	if _, err := t.Session.Whole(ctx, object); err != nil {
		return nil, false
	}
	selected, err := t.Health.PodsOf(ctx, object)
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
func (t *Tools) podsOnLive(ctx context.Context, node *Object) (Finding, bool) {
	typed, err := session.ReadAs[corev1.Node](ctx, t.Session, node)
	if err != nil {
		return Finding{}, false
	}
	details := finding.LivePodsDetails{Cordoned: typed.Spec.Unschedulable}
	here, err := t.podsToEvict(ctx, &drain{held: Held{Object: node}, node: node, typed: typed})
	if err != nil {
		return t.tellPods(node, details, nil)
	}
	if details.Cordoned {
		t.addKept(ctx, here, &details)
	}
	return t.tellPods(node, details, t.overdue(finding.Each(here, func(pod podItem) *Object { return pod.Object })))
}

// addKept adds the pods that no drain can evict now, and the budgets by which it can't.
func (t *Tools) addKept(ctx context.Context, here []podItem, details *finding.LivePodsDetails) {
	var namespaces []string
	for _, pod := range here {
		if !slices.Contains(namespaces, pod.Typed.Namespace) {
			namespaces = append(namespaces, pod.Typed.Namespace)
		}
	}
	budgets, err := t.budgetsOf(ctx, namespaces)
	if err != nil {
		return
	}
	for _, pod := range here {
		refusing := t.evictable(pod.Typed, budgets).refusing
		if pod.Object.Terminating() || len(refusing) == 0 {
			continue
		}
		details.Kept = append(details.Kept, pod.Object.Ref)
		for _, budget := range refusing {
			if !slices.Contains(details.Budgets, budget.Object.Ref) {
				details.Budgets = append(details.Budgets, budget.Object.Ref)
			}
		}
	}
}

// overdue returns the pods that have been Terminating for longer than their grace period, the longest first.
func (t *Tools) overdue(pods []*Object) []*Object {
	late := slices.DeleteFunc(slices.Clone(pods), func(pod *Object) bool {
		return !pod.Terminating() || t.Session.Now().Sub(pod.Meta.DeletionTimestamp.Time) < session.Patience
	})
	slices.SortStableFunc(late, func(a, b *Object) int { return a.RequestedAt().Compare(b.RequestedAt()) })
	return late
}

// tellPods is what is said of the pods of a live object, with the questions to ask next; false if that is nothing.
func (t *Tools) tellPods(object *Object, details finding.LivePodsDetails, late []*Object) (Finding, bool) {
	told := Finding{Situation: "PodsOfLive", Object: object.Ref}
	for i, pod := range late {
		details.Stuck = append(details.Stuck, pod.Ref)
		if i == 0 {
			details.Since = pod.RequestedAt()
			told.Remedies = append(told.Remedies, Remedy{
				Step: "AskAboutPod", Details: finding.StepDetails{Object: &pod.Ref}, Command: t.Session.Kubectl.Why(pod),
				Risk: finding.NoRisk,
			})
		}
		told.Evidence = append(told.Evidence, pod.Ref.Observed("deletionTimestamp %s; finalizers: %s",
			pod.Meta.DeletionTimestamp.UTC().Format(time.RFC3339), cmp.Or(finding.And(pod.Meta.Finalizers), "none")))
	}
	if len(details.Budgets) > 0 {
		budget := details.Budgets[0]
		told.Remedies = append(told.Remedies, Remedy{
			Step: "SeeBudget", Details: finding.StepDetails{Object: &budget}, Risk: finding.NoRisk,
			Command: t.Session.Kubectl.CommandFor(budget, "describe"),
		})
	}
	if details.Cordoned {
		told.Evidence = append(told.Evidence, object.Ref.Observed("spec.unschedulable is true"))
	}
	told.Details = details
	return told, details.Cordoned || len(details.Stuck) > 0
}
