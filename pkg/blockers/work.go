package blockers

import (
	"context"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// worksNot answers for an object whose controller runs and says in its status that it waits for the work of a workload,
// as for a Job to finish: one that exists and can't do it is probably the cause. What may just be starting, or has
// completed, is none. said is the answer without that.
func worksNot(
	ctx context.Context, finder *attribution.Finder, object *session.Object, hold finding.Hold, said session.Answer,
) (answer session.Answer, found bool) {
	controller, words, evidence := awaits(said)
	if controller == nil {
		return session.Answer{}, false
	}
	named, _ := finder.Session.NamedInWords(ctx, object, statuses.AwaitedWork(words))
	for _, workload := range named {
		outage, is := OutageOf(ctx, finder, workload)
		if !is {
			continue
		}
		cause := finding.Finding{
			Reason: finding.StillInUse, Situation: "AwaitedByReport", Object: workload.Ref, Certainty: finding.Likely,
			Details: finding.StillInUseDetails{
				Of: &object.Ref, Declaration: controller, Words: words, Use: &outage.Words,
			},
			Key:      finding.KeyOf("AwaitedByReport", hold.Name, object.Ref, workload.Resource.QualifiedName()),
			Evidence: append(outage.Evidence, evidence...), Remedies: outage.Remedies,
		}
		answer.Waits = append(answer.Waits, session.Until(workload, func() session.Answer { return session.Cause(cause) }))
	}
	answer.Remarks, answer.Removal = said.Remarks, session.RemovalUnsure
	return answer, len(answer.Waits) > 0
}

// awaits is what an answer that leaves open why a running controller doesn't act says of its words.
func awaits(said session.Answer) (controller *finding.Ref, words string, evidence []finding.Evidence) {
	for _, note := range slices.Concat(said.Causes, said.Open) {
		switch details := note.Details.(type) {
		case finding.ControllerUnknownDetails:
			if finding.Is(note.Situation, finding.ControllerRuns) && len(details.Equals) == 0 {
				return details.Controller, details.Said, note.Evidence
			}
		case finding.KnownFinalizerDetails:
			return details.Controller, details.Said, note.Evidence
		}
	}
	return nil, "", nil
}

// OutageOf says why a workload that should do something has no pod that does. It answers false where it may, and for a
// Job that its own time limit ends.
func OutageOf(
	ctx context.Context, finder *attribution.Finder, workload *session.Object,
) (outage health.Outage, is bool) {
	if workload.Terminating() || !workload.Is("", "Pod") && !hasPods(workload) {
		return outage, false
	}
	whole, err := finder.Session.Whole(ctx, workload)
	if err != nil || whole == nil {
		return outage, false // what failed is noted
	}
	if workload.Is("batch", "Job") {
		job, err := session.As[batchv1.Job](whole)
		if err != nil || finder.Session.Now().Before(health.JobEnds(job)) {
			return outage, false
		}
	}
	var pods []*corev1.Pod
	if workload.Is("", "Pod") {
		pods, err = asPods(session.As[corev1.Pod](whole))
	} else {
		pods, err = health.PodsOf(ctx, finder.Session, workload)
	}
	if err != nil {
		return outage, false
	}
	for _, pod := range pods {
		ready := health.PodCondition(pod, corev1.PodReady)
		if !health.PodEnded(pod) && ready != nil && ready.Status == corev1.ConditionTrue {
			return outage, false
		}
	}
	outage = finder.Health.Outage(ctx, workload, pods)
	return outage, !outage.Rests && !outage.Starting && outage.Until.IsZero() && outage.Unread == nil
}

func asPods(pod *corev1.Pod, err error) ([]*corev1.Pod, error) { return []*corev1.Pod{pod}, err }

// hasPods reports whether an object is a workload of Kubernetes, or a Job.
func hasPods(object *session.Object) bool {
	if object.Is("batch", "Job") {
		return true
	}
	for _, kind := range cluster.WorkloadKinds() {
		if object.Is(kind.Group, kind.Kind) {
			return true
		}
	}
	return false
}
