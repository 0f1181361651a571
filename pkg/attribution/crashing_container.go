package attribution

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// podOf is the pod that holds a Lease, or nil.
func podOf(holder string, pods []*corev1.Pod) *corev1.Pod {
	at := slices.IndexFunc(pods, func(pod *corev1.Pod) bool { return health.HeldByPod(holder, pod.Name) })
	if at < 0 {
		return nil
	}
	return pods[at]
}

// holderAmong is the pod that holds a Lease by what ties it to the pods, or nil. A pod that has its Node's network has
// the Node's name for its host's.
func holderAmong(holder string, by signs.LeaseTie, pods []*corev1.Pod) *corev1.Pod {
	if by == signs.TiedByPod {
		return podOf(holder, pods)
	}
	at := slices.IndexFunc(pods, func(pod *corev1.Pod) bool {
		return by == signs.TiedByHost && pod.Spec.HostNetwork && health.HeldByPod(holder, pod.Spec.NodeName)
	})
	if at < 0 {
		return nil
	}
	return pods[at]
}

// roleOf is a container's role, by what the catalogue and its name say.
func roleOf(s *search, c *candidate, name string) signs.ContainerRole {
	described := s.criteria.known != nil && matchesAny(s.criteria.known.Containers, name)
	own := name == c.name() || name == c.account.Name || slices.Contains(s.criteria.managers, name)
	switch {
	case described, own:
		return signs.Reconciles
	case naming.NamedForOtherDuty(name), naming.Mentions(name, "elector", "election", "sidecar", "agent", "init"):
		return signs.Helps
	case naming.LooksLikeOperator(name):
		return signs.Reconciles
	}
	return signs.Unsettled
}

// idlesBeside reports whether the container of a pod that would reconcile doesn't run, although another one of the pod
// renews their Lease: what runs in it is less likely to reconcile than what crashes.
func idlesBeside(s *search, c *candidate, pod *corev1.Pod) bool {
	if pod == nil || s.criteria.driver != "" { // a driver's sidecars lead each for itself
		return false
	}
	crashed, runs := signs.NoContainer, signs.NoContainer
	for _, status := range pod.Status.ContainerStatuses {
		switch role := roleOf(s, c, status.Name); {
		case status.State.Running != nil:
			runs = max(runs, role)
		case health.Crashed(status):
			crashed = max(crashed, role)
		}
	}
	return crashed > runs
}

// reconcilesBeside reports whether a candidate's pods are not ready only because containers fail that help others: what
// reconciles is ready in one of them, so the candidate runs. It says so of the candidate.
func reconcilesBeside(s *search, c *candidate, pods []*corev1.Pod) bool {
	if s.criteria.driver != "" || c.stale { // a driver's sidecars do the work
		return false
	}
	for _, pod := range pods {
		failing, works, others := "", false, false
		for _, status := range pod.Status.ContainerStatuses {
			role := roleOf(s, c, status.Name)
			switch {
			case status.Ready && status.State.Running != nil:
				works = works || role == signs.Reconciles
			case role == signs.Helps && health.Crashed(status):
				failing = status.Name
			default:
				others = true
			}
		}
		if works && failing != "" && !others && pod.DeletionTimestamp == nil {
			c.state = candidateAlive
			named := session.Named(cluster.Pods(), c.namespace, pod.Name)
			c.evidence = append(c.evidence, session.ObservedOf(named, fmt.Sprintf(
				"is not ready because its container %q crashes; the one that reconciles is ready", failing)))
			return true
		}
	}
	return false
}

// watchRestarts remembers that all ready pods of a candidate keep being restarted: what would reconcile ends again
// before it is done.
func watchRestarts(s *search, c *candidate, pods []*corev1.Pod) {
	var why *quiet
	for _, pod := range pods {
		if !podReady(pod) {
			continue
		}
		status, is := restless(pod, s.session.Now(), func(name string) bool {
			return roleOf(s, c, name) != signs.Helps || len(pod.Status.ContainerStatuses) == 1
		})
		if !is {
			return
		}
		if why == nil {
			seen := health.RestartsOf(pod, status)
			c.evidence = append(c.evidence, seen.Evidence)
			why = &quiet{kind: restartsOften, since: seen.Started, status: seen.Words}
			c.remedies = ThenFinishes(seen.Remedies(s.session))
		}
	}
	c.quiet = why
}

// observeCrashedShards says of a StatefulSet with a ready pod, whose Lease none of its pods holds, which of the others
// crash: such pods may have the objects divided among them, and nothing shows which of them has this one.
func observeCrashedShards(s *search, c *candidate, pods []*corev1.Pod) {
	if c.leads || c.led != "" || c.workload == nil || c.workload.Resource.Kind != "StatefulSet" {
		return
	}
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil || podReady(pod) {
			continue
		}
		for _, status := range pod.Status.ContainerStatuses {
			if !health.Crashed(status) || roleOf(s, c, status.Name) == signs.Helps && len(pod.Status.ContainerStatuses) > 1 {
				continue
			}
			c.evidence = append(c.evidence, session.ObservedOf(session.Named(cluster.Pods(), c.namespace, pod.Name),
				fmt.Sprintf("its container %q crashes, and was restarted %d times. The other pods of %s may not act on the "+
					"objects that this one is responsible for", status.Name, status.RestartCount, c.workload.Ref)))
		}
	}
}

// restless returns a container of a ready pod that keeps being restarted after errors, of the ones that count.
func restless(
	pod *corev1.Pod, now time.Time, counts func(container string) bool,
) (is corev1.ContainerStatus, found bool) {
	for _, status := range pod.Status.ContainerStatuses {
		last := status.LastTerminationState.Terminated
		if !counts(status.Name) || status.RestartCount < signs.OftenRestarted || last == nil || last.ExitCode == 0 {
			continue
		}
		ran := time.Duration(0)
		if !last.StartedAt.IsZero() {
			ran = last.FinishedAt.Sub(last.StartedAt.Time)
		}
		if ran <= signs.LongestRun && now.Sub(last.FinishedAt.Time) < max(signs.CalmTimes*ran, signs.ShortestCalm) {
			return status, true
		}
	}
	return is, false
}
