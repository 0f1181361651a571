package mechanism

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// behind tells why a Service with a selector has no ready endpoints: by its pods, and what runs them.
func (w *World) behind(ctx context.Context, object *Object, current *corev1.Service) backend {
	selector := labels.SelectorFromSet(current.Spec.Selector)
	listed, err := w.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, cluster.Selector{Labels: selector.String()})
	if err != nil {
		return w.endpointless(object, "has no ready endpoints; why can't be told without reading the pods of "+object.Ref.String(), nil)
	}
	pods := make([]*corev1.Pod, 0, len(listed))
	for i := range listed {
		pod, err := as[corev1.Pod](&listed[i])
		if err == nil && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
			pods = append(pods, pod)
		}
	}
	if len(pods) == 0 {
		return w.withoutPods(ctx, object, selector)
	}
	// One that is to stay tells more than one that is on its way out.
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		return boolToInt(a.DeletionTimestamp != nil) - boolToInt(b.DeletionTimestamp != nil)
	})
	return w.notReady(ctx, object, pods[0], len(pods))
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withoutPods looks for what should run the pods that a Service selects.
func (w *World) withoutPods(ctx context.Context, object *Object, selector labels.Selector) backend {
	for _, resource := range []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()} {
		listed, err := w.Reader.List(ctx, resource, object.Ref.Namespace, cluster.Selector{})
		if err != nil {
			return w.endpointless(object, fmt.Sprintf("has no ready endpoints and no pods; why can't be told without reading %s in %s", resource.QualifiedName(), object.Ref.Namespace), nil)
		}
		for i := range listed {
			template, _, _ := unstructured.NestedStringMap(listed[i].Object, "spec", "template", "metadata", "labels")
			if !selector.Matches(labels.Set(template)) {
				continue
			}
			if workload, err := FromWhole(resource, &listed[i]); err == nil {
				return w.podless(object, workload)
			}
		}
	}
	return w.endpointless(object, fmt.Sprintf("has no ready endpoints: nothing in %s runs pods that %s selects", object.Ref.Namespace, object.Ref), nil,
		graph.Evidence{Source: "Deployments, StatefulSets and DaemonSets in " + object.Ref.Namespace, Observed: "none has pods with " + selector.String()})
}

// podless answers for a workload that has no pods.
func (w *World) podless(object, workload *Object) backend {
	if found, scaled := w.scaledDown(object, workload); scaled {
		return found
	}
	typed, err := as[appsv1.Deployment](workload.Whole) // the conditions of all workloads are alike
	if err == nil {
		for _, condition := range typed.Status.Conditions {
			if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
				return w.endpointless(object, fmt.Sprintf("has no ready endpoints, because the pods of %s can't be created: %s", workload.Ref, condition.Message), workload,
					graph.Evidence{Source: workload.Ref.String(), Observed: fmt.Sprintf("condition %s: %s", condition.Type, condition.Message), Object: &workload.Ref, At: &condition.LastTransitionTime.Time})
			}
		}
	}
	return w.endpointless(object, fmt.Sprintf("has no ready endpoints, because %s has no pods", workload.Ref), workload,
		graph.Evidence{Source: workload.Ref.String(), Observed: "no pod of it is there", Object: &workload.Ref})
}

// scaledDown answers for a workload of which nobody wants a replica.
func (w *World) scaledDown(object, workload *Object) (backend, bool) {
	typed, err := as[appsv1.Deployment](workload.Whole) // StatefulSets have the same field, DaemonSets none
	if err != nil || typed.Spec.Replicas == nil || *typed.Spec.Replicas > 0 {
		return backend{}, false
	}
	found := w.endpointless(object, fmt.Sprintf("has no ready endpoints, because %s is scaled to 0", workload.Ref), workload,
		graph.Evidence{Source: workload.Ref.String(), Observed: "spec.replicas is 0", Object: &workload.Ref})
	found.remedies = []graph.Remedy{{
		Action:  fmt.Sprintf("Scale %s up again.", workload.Ref),
		Command: w.Kubectl.Command(workload, "scale", "--replicas=1"),
		Risk:    graph.NoRisk,
	}}
	return found, true
}

// notReady answers for a Service with pods of which none serves it.
func (w *World) notReady(ctx context.Context, object *Object, pod *corev1.Pod, count int) backend {
	self := Named(cluster.Pods(), pod.Namespace, pod.Name)
	if read, err := w.Reader.Get(ctx, cluster.Pods(), pod.Namespace, pod.Name); err == nil {
		if whole, err := FromWhole(cluster.Pods(), read); err == nil {
			self = whole
		}
	}
	workload := w.workloadOf(ctx, self)
	if workload != nil && workload.Resource.Group == "apps" && pod.DeletionTimestamp != nil {
		if whole, err := w.Whole(ctx, workload); err == nil && whole != nil {
			if found, scaled := w.scaledDown(object, workload); scaled {
				return found
			}
		}
	}
	stage, evidence := w.podStage(ctx, self, pod)
	which := self.Ref.String()
	if count > 1 {
		which = fmt.Sprintf("none of its %d pods is ready; %s", count, self.Ref)
	}
	found := w.endpointless(object, fmt.Sprintf("has no ready endpoints: %s %s", which, stage), workload, evidence...)
	if workload == nil {
		found.workload = self
	}
	found.remedies = []graph.Remedy{{
		Action:  fmt.Sprintf("Get %s to run: it %s.", self.Ref, stage),
		Command: w.Kubectl.Command(self, "describe"),
		Risk:    graph.NoRisk,
	}}
	if restarts(pod) {
		found.remedies = append(found.remedies, graph.Remedy{
			Action: "Read what it said before it ended.", Command: w.Kubectl.Command(self, "logs", "--all-containers", "--previous"), Risk: graph.NoRisk,
		})
	}
	return found
}

// endpointless is a backend without ready endpoints.
func (w *World) endpointless(object *Object, words string, workload *Object, evidence ...graph.Evidence) backend {
	look := object
	if workload != nil {
		look = workload
	}
	return backend{
		state: backendBroken, words: words, workload: workload, evidence: evidence,
		remedies: []graph.Remedy{{
			Action:  fmt.Sprintf("Get %s to have a ready pod.", look.Ref),
			Command: w.Kubectl.Command(look, "describe"),
			Risk:    graph.NoRisk,
		}},
	}
}
