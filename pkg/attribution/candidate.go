package attribution

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// examine finds out whether a candidate runs: by the pods of its ServiceAccount, what runs them, and
// the Leases beside them. It answers false when that can't be told.
func (s *search) examine(ctx context.Context, c *candidate) bool {
	pods, err := s.podsOf(ctx, c)
	if err != nil {
		return s.cannot("pods in "+c.namespace, err)
	}
	if i := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return podReady(pod) }); i >= 0 {
		c.state = candidateAlive
		as := "runs as " + c.account.String()
		if c.account.Name == "" {
			as = "belongs to " + c.workload.Ref.String()
		}
		c.evidence = append(c.evidence, session.ObservedOf(session.Named(cluster.Pods(), c.namespace, pods[i].Name), as+", and is ready"))
		return s.leads(ctx, c, pods)
	}
	if c.workload == nil && len(pods) == 0 {
		if err := s.findWorkload(ctx, c, nil, cluster.Deployments()); err != nil {
			return s.cannot("workloads in "+c.namespace, err)
		}
		if c.workload == nil {
			return s.unoccupied(ctx, c)
		}
	} else if c.workload == nil {
		if err := s.findWorkload(ctx, c, pods, cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()); err != nil {
			return s.cannot("workloads in "+c.namespace, err)
		}
	}
	if len(pods) > 0 && !slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil }) {
		if !s.inBurial(ctx, c) {
			return false
		}
		if c.burying { // nothing takes the place of these pods
			c.state, c.workload = candidateIdle, nil
			return true
		}
	}
	c.state = candidateDown
	s.whyDown(ctx, c, pods)
	return s.leads(ctx, c, pods)
}

// cannot remembers what could not be read.
func (s *search) cannot(what string, err error) bool {
	s.failed = append(s.failed, what+because(err))
	return false
}

// findWorkload looks for what runs pods as a candidate's ServiceAccount. A pod that is there tells which
// kind it is.
func (s *search) findWorkload(ctx context.Context, c *candidate, pods []*corev1.Pod, among ...cluster.Resource) error {
	for _, resource := range among {
		if len(pods) > 0 && !runBy(pods, resource.Kind) {
			continue
		}
		list, err := s.finder.Session.Reader.List(ctx, resource, c.namespace, cluster.Selector{})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		for i := range list {
			if account, _, _ := unstructured.NestedString(list[i].Object, "spec", "template", "spec", "serviceAccountName"); account != c.account.Name && (account != "" || c.account.Name != "default") {
				continue
			}
			if workload, err := session.FromWhole(resource, &list[i]); err == nil {
				c.workload = workload
				return nil
			}
		}
	}
	return nil
}

// runBy tells whether a pod may be run by workloads of a kind.
func runBy(pods []*corev1.Pod, kind string) bool {
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.OwnerReferences, func(owner metav1.OwnerReference) bool {
			return owner.Kind == kind || owner.Kind == "ReplicaSet" && kind == "Deployment"
		})
	})
}

// unoccupied tells of a ServiceAccount as which no pod runs, and no Deployment would. Where its Lease is renewed, it
// runs somewhere else, and nothing more matters; else other workloads may, and it may be gone, and its namespace.
func (s *search) unoccupied(ctx context.Context, c *candidate) bool {
	c.state = candidateIdle
	before := len(c.evidence)
	if !s.leads(ctx, c, nil) {
		return false
	}
	observed := fmt.Sprintf("no pod and no Deployment in %s runs as it", c.namespace)
	if c.state != candidateAlive {
		if err := s.findWorkload(ctx, c, nil, cluster.StatefulSets(), cluster.DaemonSets()); err != nil {
			return s.cannot("workloads in "+c.namespace, err)
		}
		if c.workload != nil {
			c.state = candidateDown
			s.whyDown(ctx, c, nil)
			return c.stale || s.leads(ctx, c, nil)
		}
		observed = fmt.Sprintf("no pod, Deployment, StatefulSet or DaemonSet in %s runs as it", c.namespace)
		_, err := s.finder.Session.Reader.Metadata(ctx, cluster.ServiceAccounts(), c.namespace, c.account.Name)
		if apierrors.IsNotFound(err) {
			c.state, observed = candidateGone, "not found"
		} else if err != nil {
			return s.cannot(c.account.String(), err)
		}
	}
	c.evidence = slices.Insert(c.evidence, before, finding.Evidence{Source: c.account.String(), Observed: observed})
	return c.state == candidateAlive || s.inBurial(ctx, c)
}

// inBurial tells of a candidate's namespace: nothing can start in one that is being deleted
// (deletion-mechanics B.3-9).
func (s *search) inBurial(ctx context.Context, c *candidate) bool {
	namespace, err := s.finder.Session.Read(ctx, cluster.Namespaces(), "", c.namespace)
	switch {
	case apierrors.IsNotFound(err):
		c.buried = fmt.Sprintf("its namespace %s is gone", c.namespace)
		c.evidence = append(c.evidence, finding.Evidence{Source: "Namespace " + c.namespace, Observed: "not found"})
	case err != nil:
		return s.cannot("Namespace "+c.namespace, err)
	case namespace.Terminating():
		at := namespace.RequestedAt()
		c.burying = true
		c.buried = fmt.Sprintf("it lived in %s, which is being deleted: pods go first, and none can be created there any more", namespace.Ref)
		c.evidence = append(c.evidence, finding.Evidence{Source: namespace.Ref.String(), Observed: "deleted " + s.finder.Session.Ago(at) + " ago; " + c.account.String() + " lived in this namespace", Object: &namespace.Ref, At: &at})
	}
	return true
}

// whyDown puts into words why a candidate's workload has no ready pod.
func (s *search) whyDown(ctx context.Context, c *candidate, pods []*corev1.Pod) {
	self := session.Named(cluster.Pods(), c.namespace, "")
	if len(pods) > 0 {
		slices.SortStableFunc(pods, func(a, b *corev1.Pod) int {
			return session.BoolToInt(a.DeletionTimestamp != nil) - session.BoolToInt(b.DeletionTimestamp != nil)
		})
		self = session.Named(cluster.Pods(), c.namespace, pods[0].Name)
		self.Ref.UID = string(pods[0].UID)
		if whole, err := s.finder.Session.Reader.Get(ctx, self.Resource, c.namespace, self.Ref.Name); err == nil { // remembered
			if read, err := session.FromWhole(self.Resource, whole); err == nil {
				self = read
			}
		}
	}
	if c.workload == nil {
		c.workload = self
	} else if s.ending(c, pods) || s.unwanted(c) {
		return
	}
	if len(pods) == 0 {
		s.whyPodless(c)
		return
	}
	since := pods[0].CreationTimestamp.Time
	if ends := pods[0].DeletionTimestamp; ends != nil {
		since = ends.Time // another takes its place
	}
	c.starting = !health.Restarts(pods[0]) && s.finder.Session.Now().Sub(since) < session.Patience
	words, evidence := s.notRunning(ctx, self, pods[0])
	c.words = fmt.Sprintf("has no ready pod: %s %s", self.Ref, words)
	c.evidence = append(c.evidence, evidence...)
	c.remedies = []finding.Remedy{{
		Action: fmt.Sprintf("Get %s to run: it %s. Its controller then finishes by itself.", self.Ref, words), Command: s.finder.Session.Kubectl.Command(self, "describe"), Risk: finding.NoRisk,
	}}
	if health.Restarts(pods[0]) {
		c.remedies = append(c.remedies, finding.Remedy{
			Action: "Read what it said before it ended.", Command: s.finder.Session.Kubectl.Command(self, "logs", "--all-containers", "--previous"), Risk: finding.NoRisk,
		})
	}
}

// notRunning is PodStage, but for a container that says itself why it doesn't run: then its node need not
// be read.
func (s *search) notRunning(ctx context.Context, self *session.Object, pod *corev1.Pod) (string, []finding.Evidence) {
	container, waiting := health.WaitingContainer(pod)
	if waiting == nil || pod.DeletionTimestamp != nil || pod.Spec.NodeName == "" {
		stage, evidence := s.finder.Health.PodStage(ctx, self, pod)
		return s.finder.Health.Told(stage), evidence // bridge
	}
	stage, evidence := health.Waits(self, pod, container, waiting)
	return s.finder.Health.Told(stage), evidence // bridge
}
