package health

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// behind tells why a Service with a selector has no ready endpoints: by its pods, and what runs them.
func (c *Checker) behind(ctx context.Context, object *session.Object, current *corev1.Service) Backend {
	selector := labels.SelectorFromSet(current.Spec.Selector)
	listed, err := c.Session.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, cluster.Selector{Labels: selector.String()})
	if err != nil {
		return c.endpointless(object, "has no ready endpoints; why can't be told without reading the pods of "+object.Ref.String(), nil)
	}
	pods := make([]*corev1.Pod, 0, len(listed))
	for i := range listed {
		pod, err := session.As[corev1.Pod](&listed[i])
		if err == nil && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
			pods = append(pods, pod)
		}
	}
	if len(pods) == 0 {
		return c.withoutPods(ctx, object, selector)
	}
	// One that is to stay tells more than one that is on its way out.
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		return session.BoolToInt(a.DeletionTimestamp != nil) - session.BoolToInt(b.DeletionTimestamp != nil)
	})
	return c.notReady(ctx, object, pods[0], len(pods))
}

// withoutPods looks for what should run the pods that a Service selects.
func (c *Checker) withoutPods(ctx context.Context, object *session.Object, selector labels.Selector) Backend {
	for _, resource := range []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()} {
		listed, err := c.Session.Reader.List(ctx, resource, object.Ref.Namespace, cluster.Selector{})
		if err != nil {
			return c.endpointless(object, fmt.Sprintf("has no ready endpoints and no pods; why can't be told without reading %s in %s", resource.QualifiedName(), object.Ref.Namespace), nil)
		}
		for i := range listed {
			template, _, _ := unstructured.NestedStringMap(listed[i].Object, "spec", "template", "metadata", "labels")
			if !selector.Matches(labels.Set(template)) {
				continue
			}
			if workload, err := session.FromWhole(resource, &listed[i]); err == nil {
				return c.podless(object, workload)
			}
		}
	}
	return c.endpointless(object, fmt.Sprintf("has no ready endpoints: nothing in %s runs pods that %s selects", object.Ref.Namespace, object.Ref), nil,
		finding.Evidence{Source: "Deployments, StatefulSets and DaemonSets in " + object.Ref.Namespace, Observed: "none has pods with " + selector.String()})
}

// podless answers for a workload that has no pods.
func (c *Checker) podless(object, workload *session.Object) Backend {
	if found, scaled := c.ScaledDown(object, workload); scaled {
		return found
	}
	typed, err := session.As[appsv1.Deployment](workload.Whole) // the conditions of all workloads are alike
	if err == nil {
		for _, condition := range typed.Status.Conditions {
			if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
				return c.endpointless(object, fmt.Sprintf("has no ready endpoints, because the pods of %s can't be created: %s", workload.Ref, condition.Message), workload,
					finding.Evidence{Source: workload.Ref.String(), Observed: fmt.Sprintf("condition %s: %s", condition.Type, condition.Message), Object: &workload.Ref, At: &condition.LastTransitionTime.Time})
			}
		}
	}
	return c.endpointless(object, fmt.Sprintf("has no ready endpoints, because %s has no pods", workload.Ref), workload,
		finding.Evidence{Source: workload.Ref.String(), Observed: "no pod of it is there", Object: &workload.Ref})
}

// ScaledDown answers for a workload of which nobody wants a replica.
func (c *Checker) ScaledDown(object, workload *session.Object) (Backend, bool) {
	typed, err := session.As[appsv1.Deployment](workload.Whole) // StatefulSets have the same field, DaemonSets none
	if err != nil || typed.Spec.Replicas == nil || *typed.Spec.Replicas > 0 {
		return Backend{}, false
	}
	found := c.endpointless(object, fmt.Sprintf("has no ready endpoints, because %s is scaled to 0", workload.Ref), workload,
		finding.Evidence{Source: workload.Ref.String(), Observed: "spec.replicas is 0", Object: &workload.Ref})
	found.Remedies = []finding.Remedy{{
		Action:  fmt.Sprintf("Scale %s up again.", workload.Ref),
		Command: c.Session.Kubectl.Command(workload, "scale", "--replicas=1"),
		Risk:    finding.NoRisk,
	}}
	return found, true
}

// notReady answers for a Service with pods of which none serves it.
func (c *Checker) notReady(ctx context.Context, object *session.Object, pod *corev1.Pod, count int) Backend {
	self := session.Named(cluster.Pods(), pod.Namespace, pod.Name)
	if read, err := c.Session.Reader.Get(ctx, cluster.Pods(), pod.Namespace, pod.Name); err == nil {
		if whole, err := session.FromWhole(cluster.Pods(), read); err == nil {
			self = whole
		}
	}
	workload := c.WorkloadOf(ctx, self)
	if workload != nil && workload.Resource.Group == "apps" && pod.DeletionTimestamp != nil {
		if whole, err := c.Session.Whole(ctx, workload); err == nil && whole != nil {
			if found, scaled := c.ScaledDown(object, workload); scaled {
				return found
			}
		}
	}
	stage, evidence := c.PodStage(ctx, self, pod)
	which := self.Ref.String()
	if count > 1 {
		which = fmt.Sprintf("none of its %d pods is ready; %s", count, self.Ref)
	}
	found := c.endpointless(object, fmt.Sprintf("has no ready endpoints: %s %s", which, stage), workload, evidence...)
	if workload == nil {
		found.workload = self
	}
	found.Remedies = []finding.Remedy{{
		Action:  fmt.Sprintf("Get %s to run: it %s.", self.Ref, stage),
		Command: c.Session.Kubectl.Command(self, "describe"),
		Risk:    finding.NoRisk,
	}}
	if Restarts(pod) {
		found.Remedies = append(found.Remedies, finding.Remedy{
			Action: "Read what it said before it ended.", Command: c.Session.Kubectl.Command(self, "logs", "--all-containers", "--previous"), Risk: finding.NoRisk,
		})
	}
	return found
}

// endpointless is a backend without ready endpoints.
func (c *Checker) endpointless(object *session.Object, words string, workload *session.Object, evidence ...finding.Evidence) Backend {
	look := object
	if workload != nil {
		look = workload
	}
	return Backend{
		State: BackendBroken, Words: words, workload: workload, Evidence: evidence,
		Remedies: []finding.Remedy{{
			Action:  fmt.Sprintf("Get %s to have a ready pod.", look.Ref),
			Command: c.Session.Kubectl.Command(look, "describe"),
			Risk:    finding.NoRisk,
		}},
	}
}
