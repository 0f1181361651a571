package attribution

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// examine finds out by its workload, pods and Leases whether a candidate runs. It answers false when that isn't clear.
func (s *search) examine(ctx context.Context, c *candidate) bool {
	defer s.finder.remember(c)
	pods, err := podsOf(ctx, s.session, c)
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
	c.pods, c.programs = pods, programNames(pods)
	if len(c.unclear) > 0 {
		c.state = candidateUnclear
		return true
	}
	if leavesOut(s, c) {
		c.state = candidateElsewhere
		return true
	}
	if i := slices.IndexFunc(pods, podReady); i >= 0 {
		c.state = candidateAlive
		observeReady(c, pods[i])
		watchRestarts(s, c, pods)
		observeEnding(s, c)
		return s.examineLeases(ctx, c, pods)
	}
	if c.workload == nil && len(pods) == 0 {
		return s.examineIdle(ctx, c)
	}
	if c.workload == nil && !s.findOwner(ctx, c, pods) {
		return false
	}
	live := slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil })
	if !live && (len(pods) > 0 || knownDeleted(s.session, c.namespace)) {
		if !s.examineNamespace(ctx, c) {
			return false
		}
		if c.namespaceTerminating { // nothing takes the place of its pods
			c.state, c.workload, c.former = candidateIdle, nil, c.workload
			return true
		}
	}
	return s.examineDown(ctx, c, pods)
}

// observeEnding says of a candidate with ready pods that its namespace is known to be in deletion: they will be
// deleted, too. It reads nothing.
func observeEnding(s *search, c *candidate) {
	whole, known := s.session.Reader.Known(cluster.Namespaces(), "", c.namespace)
	if !known || whole.GetDeletionTimestamp() == nil {
		return
	}
	if namespace, err := session.FromWhole(cluster.Namespaces(), whole); err == nil {
		ends := deletedEvidence(s.session, namespace, "; "+c.String()+" is in it, and its pods will be deleted")
		c.evidence = append(c.evidence, ends)
	}
}

func observeReady(c *candidate, pod *corev1.Pod) {
	as := "runs as " + c.account.String()
	if c.account.Name == "" {
		as = "belongs to " + c.workload.Ref.String()
	}
	named := session.Named(cluster.Pods(), c.namespace, pod.Name)
	c.evidence = append(c.evidence, session.ObservedOf(named, as+" and is ready").Ranked(finding.Told))
}

// examineDown looks at a candidate without a ready pod. Whoever holds its Lease and renews it leads all the same: a pod
// that isn't ready, or a program elsewhere.
func (s *search) examineDown(ctx context.Context, c *candidate, pods []*corev1.Pod) bool {
	c.state = candidateDown
	if !s.examineLeases(ctx, c, pods) {
		return false
	}
	if c.state == candidateDown {
		return s.whyDown(ctx, c, pods)
	}
	return true
}

// cannot remembers what could not be read, and answers false.
func (s *search) cannot(what finding.Unread, err error) bool {
	s.failed = append(s.failed, what.Because(err))
	return false
}

// examineIdle is about a ServiceAccount that no pod or Deployment uses. If its Lease is renewed, it runs somewhere
// else, and nothing more matters; else other workloads may, and it may be gone, and its namespace.
func (s *search) examineIdle(ctx context.Context, c *candidate) bool {
	c.state = candidateIdle
	before := len(c.evidence)
	if !s.examineLeases(ctx, c, nil) {
		return false
	}
	observed := fmt.Sprintf("no pod and no Deployment in %s uses it", c.namespace)
	if c.state != candidateAlive {
		others, read := s.programsOf(ctx, c, cluster.StatefulSets(), cluster.DaemonSets())
		if !read {
			return false
		}
		if len(others) > 0 {
			c.workload = others[0].workload
			return s.examineDown(ctx, c, nil)
		}
		if !s.examineNamespace(ctx, c) || !findOther(ctx, s, c) || c.workload == nil && !s.findEnded(ctx, c) {
			return false
		}
		if c.workload == nil && c.state == candidateIdle && !c.namespaceGone && !examineLocks(ctx, s, c) {
			return false
		}
		switch {
		case c.state == candidateUnclear:
			return true
		case c.state == candidateAlive:
			c.stale = false
			return true
		case c.workload != nil:
			return s.examineDown(ctx, c, nil)
		}
		observed = nothingRuns(ctx, s, c)
		_, err := s.session.Reader.Metadata(ctx, cluster.ServiceAccounts(), c.namespace, c.account.Name)
		if apierrors.IsNotFound(err) {
			c.state, observed = candidateGone, "not found"
		} else if err != nil {
			return s.cannot(finding.Unread{Object: c.accountRef()}, err)
		}
	}
	said := finding.Evidence{Source: c.account.String(), Observed: observed}
	if c.namespaceGone { // and the answer says so
		said.Rank = finding.Told
	}
	c.evidence = slices.Insert(c.evidence, before, said)
	return true
}

// nothingRuns says what was looked at and does not run as a candidate.
func nothingRuns(ctx context.Context, s *search, c *candidate) string {
	if c.namespaceTerminating || c.namespaceGone {
		return fmt.Sprintf("no pod, Deployment, StatefulSet or DaemonSet in %s uses it", c.namespace)
	}
	return fmt.Sprintf("no pod, Deployment, StatefulSet, DaemonSet, %s, CronJob or Job in %s uses it now",
		namesOfKinds(lesserKinds(ctx, s.session)), c.namespace)
}

// knownDeleted reports whether a namespace is known to be in deletion. It reads nothing: a workload without pods is
// down in any case.
func knownDeleted(reads *session.Session, namespace string) bool {
	whole, known := reads.Reader.Known(cluster.Namespaces(), "", namespace)
	return known && whole.GetDeletionTimestamp() != nil
}

// examineNamespace looks at a candidate's namespace: nothing can start in a deleted one
// (docs/deletion.md#what-a-terminating-namespace-refuses).
func (s *search) examineNamespace(ctx context.Context, c *candidate) bool {
	namespace, err := s.session.Read(ctx, cluster.Namespaces(), "", c.namespace)
	switch {
	case apierrors.IsNotFound(err):
		c.namespaceGone = true
		c.evidence = append(c.evidence, finding.Observed("Namespace "+c.namespace, "not found").Ranked(finding.Told))
	case err != nil:
		return s.cannot(finding.UnreadObject(session.Named(cluster.Namespaces(), "", c.namespace).Ref), err)
	case namespace.Terminating():
		c.namespaceTerminating = true
		c.evidence = append(c.evidence, deletedEvidence(s.session, namespace, "; "+c.String()+" was in it"))
	}
	return true
}
