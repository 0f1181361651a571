package attribution

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
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
func podSelector(of *session.Object) (selector string, known bool) {
	if of == nil || of.Whole == nil {
		return "", false
	}
	typed, err := session.As[workload](of.Whole)
	if err != nil || typed.Spec.Selector == nil {
		return "", false
	}
	selects, err := metav1.LabelSelectorAsSelector(typed.Spec.Selector)
	return selects.String(), err == nil && !selects.Empty()
}

func podReady(pod *corev1.Pod) bool {
	ready := health.PodCondition(pod, corev1.PodReady)
	return pod.DeletionTimestamp == nil && ready != nil && ready.Status == corev1.ConditionTrue
}

// workloadDeleted answers for a workload without pods that is being deleted itself: none is started for it any more
// (k8s v1.37 pkg/controller/deployment/deployment_controller.go:syncDeployment, and its like for the other kinds).
func (s *search) workloadDeleted(c *candidate, pods []*corev1.Pod) bool {
	if len(pods) > 0 || !c.workload.Terminating() {
		return false
	}
	c.status = finding.Phrase{Situation: "WorkloadIsDeleted"}
	at := c.workload.RequestedAt()
	deleted := session.ObservedOf(c.workload, "deleted "+s.session.Ago(at)+" ago, and has no pods")
	deleted.At = &at
	c.evidence = append(c.evidence, deleted)
	c.remedies = []finding.Remedy{{
		Step: "InstallUnderOtherName", Risk: finding.NoRisk,
		Command: s.session.Kubectl.Command(c.workload, "get", "-o", "yaml"),
	}}
	return true
}

// scaledToZero answers for a workload of which nobody wants a pod.
func (s *search) scaledToZero(c *candidate) bool {
	found, scaled := s.health.ScaledDown(c.workload, c.workload)
	if !scaled {
		return false
	}
	c.status = finding.Phrase{Situation: "ScaledToZero"}
	c.evidence = append(c.evidence, found.Evidence...)
	c.remedies = found.Remedies
	c.remedies[0].Step = "ScaleUpController"
	return true
}

// whyPodless finds out why a workload has no pod at all: a quota, an admission rule, or nothing that it tells.
func (s *search) whyPodless(c *candidate) {
	c.status = finding.Phrase{Situation: "HasNoPods"}
	typed, err := session.As[appsv1.Deployment](c.workload.Whole) // the conditions of all workloads are alike
	if err == nil {
		for _, condition := range typed.Status.Conditions {
			if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
				state := finding.WorkloadState{Words: condition.Message}
				c.status = finding.Phrase{Situation: "CannotCreatePods", Details: state}
			}
		}
	}
	c.evidence = append(c.evidence, session.ObservedOf(c.workload, s.voice().Phrase(c.status)))
	c.remedies = []finding.Remedy{{
		Step: "FindWhyNoPods", Details: finding.StepDetails{Object: &c.workload.Ref, State: &c.status},
		Command: s.session.Kubectl.Command(c.workload, "describe"), Risk: finding.NoRisk,
	}}
}
