package refusal

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// behind tells why a Service with a selector has no ready endpoints: by its pods, and what runs them.
func (w *World) behind(ctx context.Context, object *facts.Object, current *corev1.Service) Backend {
	selector := labels.SelectorFromSet(current.Spec.Selector)
	listed, err := w.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, cluster.Selector{Labels: selector.String()})
	if err != nil {
		return w.endpointless(object, "has no ready endpoints; why can't be told without reading the pods of "+object.Ref.String(), nil)
	}
	pods := make([]*corev1.Pod, 0, len(listed))
	for i := range listed {
		pod, err := facts.As[corev1.Pod](&listed[i])
		if err == nil && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
			pods = append(pods, pod)
		}
	}
	if len(pods) == 0 {
		return w.withoutPods(ctx, object, selector)
	}
	// One that is to stay tells more than one that is on its way out.
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		return facts.BoolToInt(a.DeletionTimestamp != nil) - facts.BoolToInt(b.DeletionTimestamp != nil)
	})
	return w.notReady(ctx, object, pods[0], len(pods))
}

// withoutPods looks for what should run the pods that a Service selects.
func (w *World) withoutPods(ctx context.Context, object *facts.Object, selector labels.Selector) Backend {
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
			if workload, err := facts.FromWhole(resource, &listed[i]); err == nil {
				return w.podless(object, workload)
			}
		}
	}
	return w.endpointless(object, fmt.Sprintf("has no ready endpoints: nothing in %s runs pods that %s selects", object.Ref.Namespace, object.Ref), nil,
		graph.Evidence{Source: "Deployments, StatefulSets and DaemonSets in " + object.Ref.Namespace, Observed: "none has pods with " + selector.String()})
}

// podless answers for a workload that has no pods.
func (w *World) podless(object, workload *facts.Object) Backend {
	if found, scaled := w.ScaledDown(object, workload); scaled {
		return found
	}
	typed, err := facts.As[appsv1.Deployment](workload.Whole) // the conditions of all workloads are alike
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

// ScaledDown answers for a workload of which nobody wants a replica.
func (w *World) ScaledDown(object, workload *facts.Object) (Backend, bool) {
	typed, err := facts.As[appsv1.Deployment](workload.Whole) // StatefulSets have the same field, DaemonSets none
	if err != nil || typed.Spec.Replicas == nil || *typed.Spec.Replicas > 0 {
		return Backend{}, false
	}
	found := w.endpointless(object, fmt.Sprintf("has no ready endpoints, because %s is scaled to 0", workload.Ref), workload,
		graph.Evidence{Source: workload.Ref.String(), Observed: "spec.replicas is 0", Object: &workload.Ref})
	found.Remedies = []graph.Remedy{{
		Action:  fmt.Sprintf("Scale %s up again.", workload.Ref),
		Command: w.Kubectl.Command(workload, "scale", "--replicas=1"),
		Risk:    graph.NoRisk,
	}}
	return found, true
}

// notReady answers for a Service with pods of which none serves it.
func (w *World) notReady(ctx context.Context, object *facts.Object, pod *corev1.Pod, count int) Backend {
	self := facts.Named(cluster.Pods(), pod.Namespace, pod.Name)
	if read, err := w.Reader.Get(ctx, cluster.Pods(), pod.Namespace, pod.Name); err == nil {
		if whole, err := facts.FromWhole(cluster.Pods(), read); err == nil {
			self = whole
		}
	}
	workload := w.WorkloadOf(ctx, self)
	if workload != nil && workload.Resource.Group == "apps" && pod.DeletionTimestamp != nil {
		if whole, err := w.Whole(ctx, workload); err == nil && whole != nil {
			if found, scaled := w.ScaledDown(object, workload); scaled {
				return found
			}
		}
	}
	stage, evidence := w.PodStage(ctx, self, pod)
	which := self.Ref.String()
	if count > 1 {
		which = fmt.Sprintf("none of its %d pods is ready; %s", count, self.Ref)
	}
	found := w.endpointless(object, fmt.Sprintf("has no ready endpoints: %s %s", which, stage), workload, evidence...)
	if workload == nil {
		found.workload = self
	}
	found.Remedies = []graph.Remedy{{
		Action:  fmt.Sprintf("Get %s to run: it %s.", self.Ref, stage),
		Command: w.Kubectl.Command(self, "describe"),
		Risk:    graph.NoRisk,
	}}
	if facts.Restarts(pod) {
		found.Remedies = append(found.Remedies, graph.Remedy{
			Action: "Read what it said before it ended.", Command: w.Kubectl.Command(self, "logs", "--all-containers", "--previous"), Risk: graph.NoRisk,
		})
	}
	return found
}

// endpointless is a backend without ready endpoints.
func (w *World) endpointless(object *facts.Object, words string, workload *facts.Object, evidence ...graph.Evidence) Backend {
	look := object
	if workload != nil {
		look = workload
	}
	return Backend{
		State: BackendBroken, Words: words, workload: workload, Evidence: evidence,
		Remedies: []graph.Remedy{{
			Action:  fmt.Sprintf("Get %s to have a ready pod.", look.Ref),
			Command: w.Kubectl.Command(look, "describe"),
			Risk:    graph.NoRisk,
		}},
	}
}
