package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// shutdownSlack is how long after its grace period a kubelet may take to report a pod's end.
const shutdownSlack = 10 * time.Second

// notStopping answers for a pod whose grace period is over on a node that is alive: something of it
// is still there, and the pod's status tells at which stage (deletion-mechanics M05-4).
func (t *Tools) notStopping(ctx context.Context, object *session.Object, pod *corev1.Pod, node *session.Object, late time.Duration, nodeHealth health.NodeHealth) session.Answer {
	if late < shutdownSlack {
		return session.Progress(finding.Finding{
			Message:  fmt.Sprintf("%s is being stopped: its grace period ended %s ago, and %s is alive.", object.Ref, duration.HumanDuration(late), node.Ref),
			Awaited:  fmt.Sprintf("the kubelet of %s to report that %s has stopped", node.Ref, object.Ref),
			Evidence: nodeHealth.Evidence,
		})
	}
	stage := stoppingStage(pod)
	if !slices.ContainsFunc(pod.Status.ContainerStatuses, running) { // what is left are the kubelet's own requests
		refused := t.Refusals.Refused(ctx, forgetting(object, "system:node:"+node.Ref.Name)...)
		if refused.Found() {
			return refused.Answer
		}
		if len(refused.Unsure) > 0 {
			return session.Open(finding.Finding{
				Message:  fmt.Sprintf("%s should have stopped %s ago: %s. Whether anything refuses what the kubelet of %s still has to send could not be read.", object.Ref, duration.HumanDuration(late), stage, node.Ref),
				Awaited:  fmt.Sprintf("the kubelet of %s to report that %s has stopped; whether anything refuses that could not be read", node.Ref, object.Ref),
				Evidence: append(slices.Clone(nodeHealth.Evidence), refused.Unsure...),
			})
		}
	}
	return session.Cause(finding.Finding{
		Reason: finding.ContainerNotStopping, Object: object.Ref, Certainty: finding.Likely,
		Message:  fmt.Sprintf("%s should have stopped %s ago. %s is alive, but %s.", object.Ref, duration.HumanDuration(late), node.Ref, stage),
		Awaited:  fmt.Sprintf("the kubelet of %s to stop %s, which is %s late: %s", node.Ref, object.Ref, duration.HumanDuration(late), stage),
		Evidence: append([]finding.Evidence{{Source: object.Ref.String(), Observed: stage, Object: &object.Ref}}, nodeHealth.Evidence...),
		Remedies: []finding.Remedy{{
			Action:  "Read what the kubelet says of the pod, then mend it on the node: the container runtime, a hung mount, a process that ignores signals.",
			Command: t.Session.Kubectl.Command(object, "describe"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "Last resort: make the API server forget " + health.Forgettable(object) + ".",
			Command: t.Health.Forget(object),
			Risk:    finding.DataLoss,
			Loses:   health.ForgetLoses,
		}},
	})
}

// stoppingStage says what of the pod is left, by its status.
func stoppingStage(pod *corev1.Pod) string {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return "its containers have ended and its volumes or its sandbox are not cleaned up, or the kubelet's last request is refused"
	}
	var left []string
	for _, container := range pod.Status.ContainerStatuses {
		if running(container) {
			left = append(left, container.Name)
		}
	}
	switch len(left) {
	case 0:
	case 1:
		return "container " + left[0] + " still runs"
	default:
		return "containers " + strings.Join(left, ", ") + " still run"
	}
	return "no container is reported as running and the pod has no final status"
}

func running(container corev1.ContainerStatus) bool { return container.State.Running != nil }
