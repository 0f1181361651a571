package attribution

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// examine finds out by its workload, pods and Leases whether a candidate runs. It answers false when that isn't clear.
func (s *search) examine(ctx context.Context, c *candidate) bool {
	pods, err := s.podsOf(ctx, c)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"pods"}, Namespace: c.namespace}, err)
	}
	if c.workload == nil && c.account.Name != "" {
		chosen, clear := s.chooseWorkload(ctx, c, pods)
		if !clear {
			return false
		}
		pods = chosen
	}
	c.programs = programNames(pods)
	if len(c.unclear) > 0 {
		c.state = candidateUnclear
		return true
	}
	if i := slices.IndexFunc(pods, podReady); i >= 0 {
		c.state = candidateAlive
		s.observePod(c, pods[i], "and is ready")
		return s.examineLeases(ctx, c, pods)
	}
	if c.workload == nil && len(pods) == 0 {
		return s.examineIdle(ctx, c)
	}
	if len(pods) > 0 && !slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil }) {
		if !s.examineNamespace(ctx, c) {
			return false
		}
		if c.namespaceTerminating { // nothing takes the place of these pods
			c.state, c.workload = candidateIdle, nil
			return true
		}
	}
	return s.examineDown(ctx, c, pods)
}

func (s *search) observePod(c *candidate, pod *corev1.Pod, fares string) {
	as := "runs as " + c.account.String()
	if c.account.Name == "" {
		as = "belongs to " + c.workload.Ref.String()
	}
	named := session.Named(cluster.Pods(), c.namespace, pod.Name)
	c.evidence = append(c.evidence, session.ObservedOf(named, as+", "+fares))
}

// examineDown looks at a candidate without a ready pod. Whoever holds its Lease and renews it leads all the same: a pod
// that isn't ready, or a program elsewhere.
func (s *search) examineDown(ctx context.Context, c *candidate, pods []*corev1.Pod) bool {
	c.state = candidateDown
	if !s.examineLeases(ctx, c, pods) {
		return false
	}
	if c.state == candidateDown {
		s.whyDown(ctx, c, pods)
	}
	return true
}

// cannot remembers what could not be read, and answers false.
func (s *search) cannot(what finding.Unread, err error) bool {
	s.failed = append(s.failed, what.Because(err))
	return false
}

// examineIdle tells of a ServiceAccount as which no pod runs, and no Deployment would. Where its Lease is renewed, it
// runs somewhere else, and nothing more matters; else other workloads may, and it may be gone, and its namespace.
func (s *search) examineIdle(ctx context.Context, c *candidate) bool {
	c.state = candidateIdle
	before := len(c.evidence)
	if !s.examineLeases(ctx, c, nil) {
		return false
	}
	observed := fmt.Sprintf("no pod and no Deployment in %s runs as it", c.namespace)
	if c.state != candidateAlive {
		others, read := s.programsOf(ctx, c, cluster.StatefulSets(), cluster.DaemonSets())
		if !read {
			return false
		}
		if len(others) > 0 {
			c.workload = others[0].workload
			return s.examineDown(ctx, c, nil)
		}
		observed = fmt.Sprintf("no pod, Deployment, StatefulSet or DaemonSet in %s runs as it", c.namespace)
		_, err := s.session.Reader.Metadata(ctx, cluster.ServiceAccounts(), c.namespace, c.account.Name)
		if apierrors.IsNotFound(err) {
			c.state, observed = candidateGone, "not found"
		} else if err != nil {
			return s.cannot(finding.Unread{Object: c.accountRef()}, err)
		}
	}
	c.evidence = slices.Insert(c.evidence, before, finding.Evidence{Source: c.account.String(), Observed: observed})
	return c.state == candidateAlive || s.examineNamespace(ctx, c)
}

// examineNamespace looks at a candidate's namespace: nothing can start in a deleted one (deletion-mechanics B.3-9).
func (s *search) examineNamespace(ctx context.Context, c *candidate) bool {
	namespace, err := s.session.Read(ctx, cluster.Namespaces(), "", c.namespace)
	switch {
	case apierrors.IsNotFound(err):
		c.namespaceGone = true
		c.evidence = append(c.evidence, finding.Evidence{Source: "Namespace " + c.namespace, Observed: "not found"})
	case err != nil:
		return s.cannot(finding.UnreadObject(session.Named(cluster.Namespaces(), "", c.namespace).Ref), err)
	case namespace.Terminating():
		c.namespaceTerminating = true
		c.evidence = append(c.evidence, s.deletedEvidence(namespace, "; "+c.account.String()+" lived in this namespace"))
	}
	return true
}

func (s *search) whyDown(ctx context.Context, c *candidate, pods []*corev1.Pod) {
	self := s.firstPod(ctx, c, pods)
	if c.workload == nil {
		c.workload = self
	} else if s.workloadDeleted(c, pods) || s.scaledToZero(c) {
		return
	}
	if len(pods) == 0 {
		s.whyNoPods(c)
		return
	}
	since := pods[0].CreationTimestamp.Time
	if ends := pods[0].DeletionTimestamp; ends != nil {
		since = ends.Time // another takes its place
	}
	c.starting = !health.Restarts(pods[0]) && s.session.Now().Sub(since) < session.Patience
	stage, evidence := s.notRunning(ctx, self, pods[0])
	c.status = finding.Phrase{Situation: "NoReadyPod", Details: finding.WorkloadState{Pod: &self.Ref, Stage: stage}}
	c.evidence = append(c.evidence, evidence...)
	c.remedies = []finding.Remedy{{
		Step: "GetPodToRun", Details: finding.StepDetails{Object: &self.Ref, State: stage},
		Command: s.session.Kubectl.Command(self, "describe"), Risk: finding.NoRisk,
	}}
	if health.Restarts(pods[0]) {
		command := s.session.Kubectl.Command(self, "logs", "--all-containers", "--previous")
		c.remedies = append(c.remedies, finding.Remedy{Step: "ReadLastLogs", Command: command, Risk: finding.NoRisk})
	}
}

// firstPod sorts pods, those that stay in front, and returns the first, as far as it can be read.
func (s *search) firstPod(ctx context.Context, c *candidate, pods []*corev1.Pod) *session.Object {
	if len(pods) == 0 {
		return session.Named(cluster.Pods(), c.namespace, "")
	}
	slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
		return session.FalseFirst(a.DeletionTimestamp != nil, b.DeletionTimestamp != nil)
	})
	self := session.Named(cluster.Pods(), c.namespace, pods[0].Name)
	self.Ref.UID = string(pods[0].UID)
	if whole, err := s.session.Reader.Get(ctx, self.Resource, c.namespace, self.Ref.Name); err == nil { // remembered
		if read, err := session.FromWhole(self.Resource, whole); err == nil {
			return read
		}
	}
	return self
}

// notRunning is PodStage, but for a container that says itself why it doesn't run: then its node need not be read.
func (s *search) notRunning(
	ctx context.Context, self *session.Object, pod *corev1.Pod,
) (stage *finding.Phrase, evidence []finding.Evidence) {
	container, waiting := health.WaitingContainer(pod)
	if waiting == nil || pod.DeletionTimestamp != nil || pod.Spec.NodeName == "" {
		stage, evidence := s.health.PodStage(ctx, self, pod)
		return &stage, evidence
	}
	first, evidence := health.Waits(self, pod, container, waiting)
	return &first, evidence
}
