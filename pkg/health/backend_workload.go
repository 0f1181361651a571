package health

import (
	"cmp"
	"context"
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
	selector, details := labels.SelectorFromSet(current.Spec.Selector), finding.BackendDetails{Service: object.Ref}
	chosen := cluster.Selector{Labels: selector.String()}
	listed, err := c.Session.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, chosen)
	if err != nil {
		return c.endpointless(object, nil, finding.Phrase{Situation: "ServicePodsUnread", Details: details})
	}
	var pods []*corev1.Pod
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

func (c *Checker) withoutPods(ctx context.Context, object *session.Object, selector labels.Selector) Backend {
	details := finding.BackendDetails{Service: object.Ref}
	for _, resource := range []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()} {
		listed, err := c.Session.Reader.List(ctx, resource, object.Ref.Namespace, cluster.Selector{})
		if err != nil {
			details.Unread = resource.QualifiedName()
			return c.endpointless(object, nil, finding.Phrase{Situation: "WorkloadsUnread", Details: details})
		}
		for i := range listed {
			template, _, _ := unstructured.NestedStringMap(listed[i].Object, "spec", "template", "metadata", "labels")
			workload, err := session.FromWhole(resource, &listed[i])
			if err == nil && selector.Matches(labels.Set(template)) {
				return c.podless(object, workload)
			}
		}
	}
	source := "Deployments, StatefulSets and DaemonSets in " + object.Ref.Namespace
	return c.endpointless(object, nil, finding.Phrase{Situation: "ServiceSelectsNothing", Details: details},
		finding.Observed(source, "none has pods with %s", selector))
}

func (c *Checker) podless(object, workload *session.Object) Backend {
	if found, scaled := c.ScaledDown(object, workload); scaled {
		return found
	}
	details := finding.BackendDetails{Service: object.Ref, Workload: &workload.Ref}
	evidence := workload.Ref.Observed("no pod of it is there")
	// The conditions of all workloads are alike.
	if typed, err := session.As[appsv1.Deployment](workload.Whole); err == nil {
		failing := slices.IndexFunc(typed.Status.Conditions, func(is appsv1.DeploymentCondition) bool {
			return is.Type == appsv1.DeploymentReplicaFailure && is.Status == corev1.ConditionTrue
		})
		if failing >= 0 {
			condition := typed.Status.Conditions[failing]
			details.Words = condition.Message
			evidence = workload.Ref.Observed("condition %s: %s", condition.Type, condition.Message)
			evidence = evidence.When(condition.LastTransitionTime.Time)
		}
	}
	return c.endpointless(object, workload, finding.Phrase{Situation: "WorkloadPodless", Details: details}, evidence)
}

// ScaledDown answers for a workload of which nobody wants a replica.
func (c *Checker) ScaledDown(object, workload *session.Object) (Backend, bool) {
	typed, err := session.As[appsv1.Deployment](workload.Whole) // StatefulSets have the same field, DaemonSets none
	if err != nil || typed.Spec.Replicas == nil || *typed.Spec.Replicas > 0 {
		return Backend{}, false
	}
	details := finding.BackendDetails{Service: object.Ref, Workload: &workload.Ref}
	found := c.endpointless(object, workload, finding.Phrase{Situation: "WorkloadScaledDown", Details: details},
		workload.Ref.Observed("spec.replicas is 0"))
	found.Remedies = []finding.Remedy{{
		Step: "ScaleUp", Details: finding.StepDetails{Object: &workload.Ref},
		Command: c.Session.Kubectl.Command(workload, "scale", "--replicas=1"),
	}}
	return found, true
}

func (c *Checker) notReady(ctx context.Context, object *session.Object, pod *corev1.Pod, count int) Backend {
	self := session.Named(cluster.Pods(), pod.Namespace, pod.Name)
	if read, err := c.Session.Read(ctx, self.Resource, pod.Namespace, pod.Name); err == nil {
		self = read
	}
	workload := c.WorkloadOf(ctx, self)
	if workload != nil && workload.Resource.Group == "apps" && pod.DeletionTimestamp != nil {
		if _, err := c.Session.Whole(ctx, workload); err == nil {
			if found, scaled := c.ScaledDown(object, workload); scaled {
				return found
			}
		}
	}
	stage, evidence := c.PodStage(ctx, self, pod)
	details := finding.BackendDetails{Service: object.Ref, Pod: &self.Ref, Pods: count, State: &stage}
	remedies := []finding.Remedy{
		{Step: "GetPodRunning", Details: details, Command: c.Session.Kubectl.Command(self, "describe")},
		{Step: "ReadLastLogs", Command: c.Session.Kubectl.Command(self, "logs", "--all-containers", "--previous")},
	}
	if !Restarts(pod) {
		remedies = remedies[:1]
	}
	return Backend{
		State: BackendBroken, Words: finding.Phrase{Situation: "ServicePodsNotReady", Details: details},
		Evidence: evidence, Remedies: remedies,
	}
}

func (c *Checker) endpointless(
	object, workload *session.Object, words finding.Phrase, evidence ...finding.Evidence,
) Backend {
	look := cmp.Or(workload, object)
	return Backend{State: BackendBroken, Words: words, Evidence: evidence, Remedies: []finding.Remedy{{
		Step: "GetPodReady", Details: finding.StepDetails{Object: &look.Ref},
		Command: c.Session.Kubectl.Command(look, "describe"),
	}}}
}
