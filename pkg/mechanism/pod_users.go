package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podUser is the wait for a pod that rightly keeps something: use says how, as in "Pod X belongs to the group".
func (t *Tools) podUser(ctx context.Context, user *Object, pod *corev1.Pod, use finding.Phrase) Wait {
	wait := Wait{Blocker: user}
	if user.Terminating() {
		return wait
	}
	phase, workload := string(pod.Status.Phase), t.Health.WorkloadOf(ctx, user)
	wait.Otherwise = session.Cause(finding.Finding{
		Reason: finding.StillInUse, Situation: "RunningPod", Object: user.Ref, Certainty: finding.Proven,
		Details:  finding.StillInUseDetails{Phase: phase, Workload: refOf(workload), Use: &use},
		Key:      finding.KeyOf("RunningPod", user.Ref.Namespace, use.Situation, phase, refOf(workload)),
		Evidence: []finding.Evidence{user.Ref.Observed("phase %s, no deletionTimestamp", phase)},
		Remedies: t.Health.StopUsing(ctx, user, workload),
	})
	return wait
}

// podEnded tells whether a pod has its final phase.
func podEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
