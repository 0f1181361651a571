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

// examination looks at one candidate of a search.
type examination struct {
	search *search
	c      *candidate
}

func (s *search) examine(ctx context.Context, c *candidate) bool { return examination{s, c}.run(ctx) }

// run finds out by its workload, pods and Leases whether a candidate runs. It answers false when that isn't clear.
func (e examination) run(ctx context.Context) bool {
	defer func() {
		e.addSetter()
		meet(e.search, e.c)
	}()
	unread := len(e.search.failed)
	pods, err := podsOf(ctx, e.search.session, e.c)
	if err != nil {
		return e.search.cannot(finding.Unread{Kinds: []string{"pods"}, Namespace: e.c.namespace}, err)
	}
	if e.c.workload == nil && e.c.account.Name != "" {
		chosen, clear := e.chooseWorkload(ctx, pods)
		if !clear {
			return false
		}
		pods = chosen
	}
	e.c.pods, e.c.programs = pods, programNames(pods)
	if len(e.c.unclear) > 0 {
		e.c.state = candidateUnclear
		return true
	}
	beyond := leavesOut(ctx, e.search, e.c)
	switch {
	case len(e.search.failed) > unread:
		return false
	case beyond:
		e.c.state = candidateElsewhere
		return true
	}
	if i := slices.IndexFunc(pods, podReady); i >= 0 {
		e.c.state = candidateAlive
		observeReady(e.c, pods[i])
		watchRestarts(e.search, e.c, pods)
		observeEnding(e.search, e.c)
		read := e.leases(ctx, pods)
		observeCrashedShards(e.search, e.c, pods)
		return read
	}
	if e.c.workload == nil && len(pods) == 0 {
		return e.idle(ctx)
	}
	if e.c.workload == nil && !e.findOwner(ctx, pods) {
		return false
	}
	live := slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.DeletionTimestamp == nil })
	if !live && (len(pods) > 0 || knownDeleted(e.search.session, e.c.namespace)) {
		if !e.namespace(ctx) {
			return false
		}
		if e.c.namespaceTerminating { // nothing takes the place of its pods
			e.c.state, e.c.workload, e.c.former = candidateIdle, nil, e.c.workload
			return true
		}
	}
	return e.down(ctx, pods)
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

// down looks at a candidate without a ready pod. Whoever holds its Lease and renews it leads all the same: a pod
// that isn't ready, or a program elsewhere.
func (e examination) down(ctx context.Context, pods []*corev1.Pod) bool {
	e.c.state = candidateDown
	if !followReference(ctx, e.search, e.c) {
		return false
	}
	if !e.leases(ctx, pods) {
		e.tellDown(ctx, pods)
		return false
	}
	if e.c.state == candidateDown && !reconcilesBeside(e.search, e.c, pods) {
		return e.whyDown(ctx, pods)
	}
	return true
}

// tellDown shows what is seen of a workload without a ready pod where it can't be read who leads: someone might.
func (e examination) tellDown(ctx context.Context, pods []*corev1.Pod) {
	if e.c.workload == nil {
		return
	}
	e.search.observe(e.c.workload.Ref.String(), "has no ready pod")
	before := len(e.c.evidence)
	if e.whyDown(ctx, pods) {
		first := func(why finding.Evidence) finding.Evidence { return why.Ranked(finding.Main) } // nothing else says it
		e.search.evidence = append(e.search.evidence, finding.Each(e.c.evidence[before:], first)...)
	}
}

// cannot remembers what could not be read, and answers false.
func (s *search) cannot(what finding.Unread, err error) bool {
	s.failed = append(s.failed, what.Because(err))
	return false
}

// idle is about a ServiceAccount that no pod or Deployment uses. If its Lease is renewed, it runs somewhere
// else, and nothing more matters; else other workloads may, and it may be gone, and its namespace.
func (e examination) idle(ctx context.Context) bool {
	e.c.state = candidateIdle
	before := len(e.c.evidence)
	if !e.leases(ctx, nil) {
		return false
	}
	observed := fmt.Sprintf("no pod and no Deployment in %s uses it", e.c.namespace)
	if e.c.state != candidateAlive {
		others, read := e.programsOf(ctx, cluster.StatefulSets(), cluster.DaemonSets())
		if !read {
			return false
		}
		if len(others) > 0 {
			e.c.workload = others[0].workload
			return e.down(ctx, nil)
		}
		if !e.namespace(ctx) || !findOther(ctx, e.search, e.c) || e.c.workload == nil && !e.findEnded(ctx) {
			return false
		}
		if e.c.workload == nil && e.c.state == candidateIdle && !e.c.namespaceGone && !examineLocks(ctx, e.search, e.c) {
			return false
		}
		switch {
		case e.c.state == candidateUnclear:
			return true
		case e.c.state == candidateAlive:
			e.c.stale = false
			return true
		case e.c.workload != nil:
			return e.down(ctx, nil)
		}
		observed = nothingRuns(ctx, e.search, e.c)
		_, err := e.search.session.Reader.Metadata(ctx, cluster.ServiceAccounts(), e.c.namespace, e.c.account.Name)
		if apierrors.IsNotFound(err) {
			e.c.state, observed = candidateGone, "not found"
		} else if err != nil {
			return e.search.cannot(finding.Unread{Object: e.c.accountRef()}, err)
		}
	}
	said := finding.Evidence{Source: e.c.account.String(), Observed: observed}
	if e.c.namespaceGone { // and the answer says so
		said.Rank = finding.Told
	}
	e.c.evidence = slices.Insert(e.c.evidence, before, said)
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

// namespace looks at a candidate's namespace: nothing can start in a deleted one
// (docs/deletion.md#what-a-terminating-namespace-refuses).
func (e examination) namespace(ctx context.Context) bool {
	namespace, err := e.search.session.Read(ctx, cluster.Namespaces(), "", e.c.namespace)
	switch {
	case apierrors.IsNotFound(err):
		e.c.namespaceGone = true
		e.c.evidence = append(e.c.evidence, finding.Observed("Namespace "+e.c.namespace, "not found").Ranked(finding.Told))
	case err != nil:
		return e.search.cannot(finding.UnreadObject(session.Named(cluster.Namespaces(), "", e.c.namespace).Ref), err)
	case namespace.Terminating():
		e.c.namespaceTerminating = true
		e.c.deletedBefore = e.search.session.Foresees && !e.search.session.DeletedThen(namespace.RequestedAt())
		e.c.evidence = append(e.c.evidence, deletedEvidence(e.search.session, namespace, "; "+e.c.String()+" was in it"))
	}
	return true
}
