package attribution

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ending answers for a workload without pods that is being deleted itself: none is started for it any more (k8s v1.37
// pkg/controller/deployment/deployment_controller.go:syncDeployment, and its like for the other kinds).
func (s *search) ending(c *candidate, pods []*corev1.Pod) bool {
	if len(pods) > 0 || !c.workload.Terminating() {
		return false
	}
	c.words = "is being deleted itself, and has no pods: none is started for it any more"
	at := c.workload.RequestedAt()
	c.evidence = append(c.evidence, finding.Evidence{Source: c.workload.Ref.String(), Observed: "deleted " + s.finder.Session.Ago(at) + " ago, and has no pods", Object: &c.workload.Ref, At: &at})
	c.remedies = []finding.Remedy{{
		Action:  "Install it again, under another name as long as this one isn't gone, and let it finish. Nothing is lost. See what it was.",
		Command: s.finder.Session.Kubectl.Command(c.workload, "get", "-o", "yaml"),
		Risk:    finding.NoRisk,
	}}
	return true
}

// unwanted answers for a workload of which nobody wants a pod.
func (s *search) unwanted(c *candidate) bool {
	found, scaled := s.finder.Health.ScaledDown(c.workload, c.workload)
	if !scaled {
		return false
	}
	c.words = "is scaled to 0"
	c.evidence = append(c.evidence, found.Evidence...)
	c.remedies = found.Remedies
	c.remedies[0].Step = "ScaleUpController"
	c.remedies = finding.Voice{}.Remedies(c.remedies) // bridge
	c.remedies[0].Step = ""
	return true
}

// whyPodless puts into words why a workload has no pod at all: a quota, an admission rule, or nothing
// that it tells.
func (s *search) whyPodless(c *candidate) {
	c.words = "has no pods"
	if typed, err := session.As[appsv1.Deployment](c.workload.Whole); err == nil { // the conditions of all workloads are alike
		for _, condition := range typed.Status.Conditions {
			if condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue {
				c.words = "can't create its pods: " + health.Quoted(condition.Message)
			}
		}
	}
	c.evidence = append(c.evidence, session.ObservedOf(c.workload, c.words))
	c.remedies = []finding.Remedy{{
		Action: fmt.Sprintf("Find out why %s %s, and mend it. The controller then finishes by itself.", c.workload.Ref, c.words), Command: s.finder.Session.Kubectl.Command(c.workload, "describe"), Risk: finding.NoRisk,
	}}
}
