package health

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// behind says why a Service with a selector has no ready endpoints: by its pods, and what runs them.
func (c *Checker) behind(ctx context.Context, object *session.Object, current *corev1.Service) Backend {
	selector, details := labels.SelectorFromSet(current.Spec.Selector), finding.BackendDetails{Service: object.Ref}
	chosen := cluster.Selector{Labels: selector.String()}
	listed, err := c.Session.Reader.List(ctx, cluster.Pods(), object.Ref.Namespace, chosen)
	if err != nil {
		return endpointless(c.Session, object, finding.Phrase{Situation: "ServicePodsUnread", Details: details})
	}
	var pods []*corev1.Pod
	for i := range listed {
		if pod, err := session.As[corev1.Pod](&listed[i]); err == nil {
			pods = append(pods, pod)
		}
	}
	live := slices.DeleteFunc(slices.Clone(pods), PodEnded)
	if len(live) == 0 {
		return c.withoutPods(ctx, object, selector, pods)
	}
	return c.notReady(ctx, object, live)
}

// withoutPods answers for a Service of whose pods none lives: by the workload that should run them, or by one that has
// failed and that nothing starts again.
func (c *Checker) withoutPods(
	ctx context.Context, object *session.Object, selector labels.Selector, ended []*corev1.Pod,
) Backend {
	details := finding.BackendDetails{Service: object.Ref}
	for _, resource := range []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()} {
		listed, err := c.Session.Reader.List(ctx, resource, object.Ref.Namespace, cluster.Selector{})
		if err != nil {
			details.Unread = resource.QualifiedName()
			return endpointless(c.Session, object, finding.Phrase{Situation: "WorkloadsUnread", Details: details})
		}
		for i := range listed {
			template, _, _ := unstructured.NestedStringMap(listed[i].Object, "spec", "template", "metadata", "labels")
			workload, err := session.FromWhole(resource, &listed[i])
			if err == nil && selector.Matches(labels.Set(template)) {
				return down(object, workload, c.Outage(ctx, workload, ended))
			}
		}
	}
	alone := slices.DeleteFunc(ended, func(pod *corev1.Pod) bool {
		return len(pod.OwnerReferences) > 0 || pod.Status.Phase != corev1.PodFailed
	})
	if self := FirstPod(alone); self != nil {
		return down(object, self, c.Outage(ctx, self, alone))
	}
	source := "Deployments, StatefulSets and DaemonSets in " + object.Ref.Namespace
	selectless := endpointless(c.Session, object, finding.Phrase{Situation: "ServiceSelectsNothing", Details: details},
		finding.Observed(source, "none runs pods with %s", selector))
	selectless.Remedies = []finding.Remedy{{
		Step: "MatchSelector", Details: finding.StepDetails{Object: &object.Ref, Name: selector.String()},
		Command: c.Session.Kubectl.Prefix(object.Ref, "get", "deployments,statefulsets,daemonsets,pods",
			"--show-labels"),
	}}
	return selectless
}

// down is the backend of a Service whose workload has no ready pod.
func down(object, workload *session.Object, found Outage) Backend {
	details := finding.BackendDetails{Service: object.Ref, Workload: &workload.Ref, State: &found.Words}
	return Backend{
		State: BackendBroken, Words: finding.Phrase{Situation: "WorkloadPodless", Details: details},
		Evidence: found.Evidence, Remedies: found.Remedies,
	}
}

// notReady answers for a Service by the first of its pods that live, or by what runs them, if they are not wanted any
// more.
func (c *Checker) notReady(ctx context.Context, object *session.Object, pods []*corev1.Pod) Backend {
	self := FirstPod(pods)
	if self.Terminating() {
		workload := WorkloadOf(ctx, c.Session, self)
		if workload != nil && workload.Resource.Group == "apps" {
			if found := c.Outage(ctx, workload, pods); finding.Is(found.Words.Situation, finding.ScaledToZero) {
				return down(object, workload, found)
			}
		}
	}
	found := c.Outage(ctx, self, pods)
	details := finding.BackendDetails{Service: object.Ref, Pod: &self.Ref, Pods: len(pods), State: &found.Words}
	return Backend{
		State: BackendBroken, Words: finding.Phrase{Situation: "ServicePodsNotReady", Details: details},
		Evidence: found.Evidence, Remedies: found.Remedies,
	}
}

func endpointless(
	reads *session.Session, object *session.Object, phrase finding.Phrase, evidence ...finding.Evidence,
) Backend {
	return Backend{State: BackendBroken, Words: phrase, Evidence: evidence, Remedies: []finding.Remedy{{
		Step: "GetPodReady", Details: finding.StepDetails{Object: &object.Ref},
		Command: reads.Kubectl.Command(object, "describe"),
	}}}
}
