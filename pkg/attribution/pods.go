package attribution

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podsOf returns the pods that run as a candidate's ServiceAccount and have not finished. Many workloads run as a
// namespace's default one, so that then the candidate's own pods are asked for.
func (s *search) podsOf(ctx context.Context, c *candidate) ([]*corev1.Pod, error) {
	selector := cluster.Selector{Fields: "spec.serviceAccountName=" + c.account.Name}
	if c.account.Name == "" || c.account.Name == "default" {
		own, known := podSelector(c.workload)
		switch {
		case known:
			selector = cluster.Selector{Labels: own}
		case c.account.Name == "":
			return nil, nil
		}
	}
	items, err := session.ListWhole[corev1.Pod](ctx, s.session, cluster.Pods(), c.namespace, selector)
	var pods []*corev1.Pod
	for _, item := range items {
		if phase := item.Typed.Status.Phase; phase != corev1.PodSucceeded && phase != corev1.PodFailed {
			pods = append(pods, item.Typed)
		}
	}
	return pods, err
}

// podSelector is what a workload selects its pods by, if it was read.
func podSelector(workload *session.Object) (selector string, known bool) {
	if workload == nil || workload.Whole == nil {
		return "", false
	}
	fields, found, err := unstructured.NestedMap(workload.Whole.Object, "spec", "selector")
	if err != nil || !found {
		return "", false
	}
	typed := &metav1.LabelSelector{}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, typed) != nil {
		return "", false
	}
	selects, err := metav1.LabelSelectorAsSelector(typed)
	return selects.String(), err == nil && !selects.Empty()
}

func podReady(pod *corev1.Pod) bool {
	ready := health.PodCondition(pod, corev1.PodReady)
	return pod.DeletionTimestamp == nil && ready != nil && ready.Status == corev1.ConditionTrue
}
