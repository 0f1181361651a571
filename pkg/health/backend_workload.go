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
	chosen := cluster.Selector{Labels: selector.String()}
	listed, err := c.Session.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, chosen)
	if err != nil {
		details := finding.BackendDetails{Service: object.Ref}
		return c.endpointless(object, finding.Phrase{Situation: "ServicePodsUnread", Details: details}, nil)
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
		return session.FalseFirst(a.DeletionTimestamp != nil, b.DeletionTimestamp != nil)
	})
	return c.notReady(ctx, object, pods[0], len(pods))
}

// withoutPods looks for what should run the pods that a Service selects.
func (c *Checker) withoutPods(ctx context.Context, object *session.Object, selector labels.Selector) Backend {
	details := finding.BackendDetails{Service: object.Ref}
	for _, resource := range []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()} {
		listed, err := c.Session.Reader.List(ctx, resource, object.Ref.Namespace, cluster.Selector{})
		if err != nil {
			details.Unread = resource.QualifiedName()
			return c.endpointless(object, finding.Phrase{Situation: "WorkloadsUnread", Details: details}, nil)
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
	evidence := finding.Observed("Deployments, StatefulSets and DaemonSets in "+object.Ref.Namespace, "none has pods with %s", selector)
	return c.endpointless(object, finding.Phrase{Situation: "ServiceSelectsNothing", Details: details}, nil, evidence)
}

// podless answers for a workload that has no pods.
func (c *Checker) podless(object, workload *session.Object) Backend {
	if found, scaled := c.ScaledDown(object, workload); scaled {
		return found
	}
	details := finding.BackendDetails{Service: object.Ref, Workload: &workload.Ref}
	evidence := workload.Ref.Observed("no pod of it is there")
	// The conditions of all workloads are alike.
	if typed, err := session.As[appsv1.Deployment](workload.Whole); err == nil {
		for _, condition := range typed.Status.Conditions {
			if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
				evidence.Observed = fmt.Sprintf("condition %s: %s", condition.Type, condition.Message)
				evidence.At, details.Words = &condition.LastTransitionTime.Time, condition.Message
				break
			}
		}
	}
	return c.endpointless(object, finding.Phrase{Situation: "WorkloadPodless", Details: details}, workload, evidence)
}

// ScaledDown answers for a workload of which nobody wants a replica.
func (c *Checker) ScaledDown(object, workload *session.Object) (Backend, bool) {
	typed, err := session.As[appsv1.Deployment](workload.Whole) // StatefulSets have the same field, DaemonSets none
	if err != nil || typed.Spec.Replicas == nil || *typed.Spec.Replicas > 0 {
		return Backend{}, false
	}
	found := c.endpointless(object, finding.Phrase{
		Situation: "WorkloadScaledDown", Details: finding.BackendDetails{Service: object.Ref, Workload: &workload.Ref},
	}, workload, workload.Ref.Observed("spec.replicas is 0"))
	found.Remedies = []finding.Remedy{{
		Step: "ScaleUp", Details: finding.StepDetails{Object: &workload.Ref},
		Command: c.Session.Kubectl.Command(workload, "scale", "--replicas=1"),
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
	details := finding.BackendDetails{Service: object.Ref, Pod: &self.Ref, Pods: count, State: &stage}
	words := finding.Phrase{Situation: "ServicePodsNotReady", Details: details}
	found := c.endpointless(object, words, workload, evidence...)
	if workload == nil {
		found.workload = self
	}
	found.Remedies = []finding.Remedy{{
		Step: "GetPodRunning", Details: details, Command: c.Session.Kubectl.Command(self, "describe"),
	}}
	if Restarts(pod) {
		found.Remedies = append(found.Remedies, finding.Remedy{
			Step: "ReadLastLogs", Command: c.Session.Kubectl.Command(self, "logs", "--all-containers", "--previous"),
		})
	}
	return found
}

// endpointless is a backend without ready endpoints.
func (c *Checker) endpointless(
	object *session.Object, words finding.Phrase, workload *session.Object, evidence ...finding.Evidence,
) Backend {
	look := object
	if workload != nil {
		look = workload
	}
	return Backend{
		State: BackendBroken, Words: words, workload: workload, Evidence: evidence,
		Remedies: []finding.Remedy{{
			Step: "GetPodReady", Details: finding.StepDetails{Object: &look.Ref},
			Command: c.Session.Kubectl.Command(look, "describe"),
		}},
	}
}
