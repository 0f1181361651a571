package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podUser is the wait for a pod that rightly keeps something: use says how, in words that complete
// "Pod X …".
func (t *Tools) podUser(ctx context.Context, user *session.Object, pod *corev1.Pod, use string) session.Wait {
	wait := session.Wait{Blocker: user}
	if user.Terminating() {
		return wait
	}
	workload := t.Health.WorkloadOf(ctx, user)
	running := describeRunning(string(pod.Status.Phase), workload)
	wait.Otherwise = session.Cause(finding.Cause{
		Reason: finding.StillInUse, Object: user.Ref, Certainty: finding.Proven,
		Message:  fmt.Sprintf("%s %s, and nobody has asked it to stop (%s).", user.Ref, use, running),
		Awaited:  fmt.Sprintf("%s, which %s and which nobody has asked to stop (%s)", user.Ref, use, running),
		Evidence: []finding.Evidence{{Source: user.Ref.String(), Observed: "phase " + string(pod.Status.Phase) + ", no deletionTimestamp", Object: &user.Ref}},
		Remedies: t.Health.StopUsing(ctx, user, workload),
		Alike:    fmt.Sprintf("pods in %s of which each %s: %s", user.Ref.Namespace, use, running),
		Several: func(count int) string {
			return fmt.Sprintf("%d pods in %s, of which each %s and which nobody has asked to stop", count, user.Ref.Namespace, use)
		},
	})
	return wait
}

// podEnded tells whether a pod has its final phase.
func podEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
