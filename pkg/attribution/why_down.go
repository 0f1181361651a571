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

// whyDown says of a candidate without a ready pod why it has none, and what to do about that. pods are the ones that
// live. It answers false if it is not clear whether one is just starting, or its node may only be late.
func (e examination) whyDown(ctx context.Context, pods []*corev1.Pod) bool {
	if e.c.workload == nil {
		e.c.workload = health.FirstPod(pods)
	}
	pods = slices.Concat(pods, ownPods(e.c.ended, e.c.workload))
	found := e.search.health.Outage(ctx, e.c.workload, pods)
	e.c.status, e.c.starting, e.c.until, e.c.remedies = found.Words, found.Starting, found.Until, found.Remedies
	e.c.evidence = append(e.c.evidence, found.Evidence...)
	if len(e.c.remedies) > 0 {
		e.c.remedies = ThenFinishes(e.c.remedies)
	}
	if found.Unread != nil {
		e.search.failed = append(e.search.failed, *found.Unread)
		return false
	}
	return true
}

// ThenFinishes adds to what to do about a workload, which is at least one step, that its controller then finishes.
func ThenFinishes(remedies []finding.Remedy) []finding.Remedy {
	remedies = slices.Clone(remedies)
	repairs := func(remedy finding.Remedy) bool {
		details, _ := remedy.Details.(finding.StepDetails)
		return !finding.Is(remedy.Step, finding.LooksFirst) && !details.Partial
	}
	first := &remedies[max(0, slices.IndexFunc(remedies, repairs))]
	if then, is := finding.In(first.Step, finding.ThenFinishes); is { // some say so themselves, or repair nothing
		first.Step = then
		return remedies
	}
	first.Step, first.Details = "LetControllerFinish", *first
	return remedies
}

// restart is how to have a workload's pods started again that run and don't work; none for what can't be rolled out.
func restart(reads *session.Session, workload *session.Object) []finding.Remedy {
	if workload == nil || !slices.ContainsFunc(cluster.WorkloadKinds(), func(kind cluster.Resource) bool {
		return workload.Is(kind.Group, kind.Kind)
	}) {
		return nil
	}
	resource := workload.Resource.QualifiedName() + "/" + workload.Ref.Name
	return []finding.Remedy{{
		Step: "RestartRollout", Details: finding.StepDetails{Object: &workload.Ref}, Risk: finding.Disruption,
		Command: reads.Kubectl.Prefix(workload.Ref, "rollout", "restart", resource),
	}}
}

// findOwner looks for the Job, or the ReplicaSet without a Deployment, that controls a candidate's pods. What else
// controls them is left alone, and so is one that is gone. It answers false if that is not clear.
func (e examination) findOwner(ctx context.Context, pods []*corev1.Pod) bool {
	first := health.FirstPod(pods)
	owner := metav1.GetControllerOfNoCopy(first.Meta)
	if e.c.workload != nil || owner == nil {
		return true
	}
	for _, resource := range []cluster.Resource{cluster.Jobs(), cluster.ReplicaSets()} {
		if owner.APIVersion != resource.APIVersion() || owner.Kind != resource.Kind {
			continue
		}
		whole, err := e.search.session.Reader.Get(ctx, resource, e.c.namespace, owner.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			return e.search.cannot(finding.Unread{Kinds: []string{"workloads"}, Namespace: e.c.namespace}, err)
		}
		if err != nil || whole.GetUID() != owner.UID {
			return true
		}
		found, err := session.FromWhole(resource, whole)
		if err != nil {
			return false
		}
		above, read := above(ctx, e.search, e.c, found)
		if e.c.workload = above; above == nil {
			e.c.workload = found // of a revision that goes
		}
		return read
	}
	return true
}

// findEnded looks for what ran as a candidate's ServiceAccount and doesn't any more: a CronJob or a Job, whose pods may
// be gone, or a pod that nothing controls and that has failed. What has completed is evidence and no more. It answers
// false if that is not clear.
func (e examination) findEnded(ctx context.Context) bool {
	if e.c.namespaceTerminating || e.c.namespaceGone {
		return true // nothing can start there
	}
	for _, resource := range []cluster.Resource{cluster.CronJobs(), cluster.Jobs()} {
		list, err := e.search.session.Reader.List(ctx, resource, e.c.namespace, cluster.Selector{})
		if err != nil && !apierrors.IsNotFound(err) {
			return e.search.cannot(finding.Unread{Kinds: []string{"workloads"}, Namespace: e.c.namespace}, err)
		}
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b unstructured.Unstructured) int { // the newest first
			return b.GetCreationTimestamp().Compare(a.GetCreationTimestamp().Time)
		})
		for i := range list {
			if !e.c.runsAs(accountOfJobs(&list[i])) {
				continue
			}
			workload, err := session.FromWhole(resource, &list[i])
			if err == nil && !e.rests(ctx, workload) {
				e.c.workload = workload
			}
			if e.c.workload != nil || e.c.state == candidateUnclear {
				return true
			}
		}
	}
	for _, pod := range e.c.ended {
		self := health.FirstPod([]*corev1.Pod{pod})
		if metav1.GetControllerOfNoCopy(pod) != nil || e.rests(ctx, self) {
			continue
		}
		e.c.workload = self
		return true
	}
	return true
}

// accountOfJobs is the ServiceAccount that the pods of a Job, or of a CronJob's Jobs, run as.
func accountOfJobs(workload *unstructured.Unstructured) string {
	if job, found, _ := unstructured.NestedMap(workload.Object, "spec", "jobTemplate"); found {
		return accountOf(&unstructured.Unstructured{Object: job})
	}
	return accountOf(workload)
}

// rests reports whether nothing is wrong with a CronJob, a Job or a pod that isn't ready, and adds what is to be seen
// of that. Between two runs of a CronJob it is not known whether the next one succeeds.
func (e examination) rests(ctx context.Context, workload *session.Object) bool {
	found := e.search.health.Outage(ctx, workload, ownPods(e.c.ended, workload))
	if !found.Rests {
		return false
	}
	observed := fmt.Sprintf("runs as %s and %s", e.c.account, voiceAsOf(e.search.session).Phrase(found.Words))
	if workload.Is("batch", "CronJob") {
		e.c.state, e.c.unclear = candidateUnclear, []*candidate{{workload: workload}}
		e.search.evidence = append(e.search.evidence, session.ObservedOf(workload, observed))
		return true
	}
	e.c.evidence = append(e.c.evidence, session.ObservedOf(workload, observed))
	return true
}

// ownPods are those of some pods that a workload runs, or that it is itself.
func ownPods(pods []*corev1.Pod, object *session.Object) (own []*corev1.Pod) {
	for _, pod := range pods {
		if object.Is("", "Pod") && pod.Name == object.Ref.Name || !object.Is("", "Pod") && selects(object, pod) {
			own = append(own, pod)
		}
	}
	return own
}
