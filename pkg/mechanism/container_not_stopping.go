package mechanism

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// shutdownSlack is how long after its grace period a kubelet may take to report a pod's end.
const shutdownSlack = 10 * time.Second

// notStopping answers for a pod whose grace period is over on a node that is alive: something of it is still there, and
// the pod's status tells at which stage (deletion-mechanics M05-4). A Node without a Lease has no kubelet here: a
// virtual cluster's pods run in another cluster.
func (t *Tools) notStopping(
	ctx context.Context, object *Object, pod *corev1.Pod, node *Object, late time.Duration, fares health.NodeHealth,
) Answer {
	details := stopping(object, node)
	details.Leaseless = fares.Leaseless
	if late < shutdownSlack {
		return session.Progress(Finding{
			Situation: "PodJustLate", Object: object.Ref, Details: details, Evidence: fares.Evidence,
		})
	}
	details.Ended = podEnded(pod)
	for _, container := range pod.Status.ContainerStatuses {
		if container.State.Running != nil {
			details.Running = append(details.Running, container.Name)
		}
	}
	if len(details.Running) == 0 { // only the kubelet's own requests remain
		refused := t.Refusals.Refused(ctx, forgetting(object, "system:node:"+node.Ref.Name)...)
		if refused.Found() {
			return refused.Answer
		}
		if len(refused.Unsure) > 0 {
			return session.Open(Finding{
				Situation: "KubeletRefusalsUnread", Object: object.Ref, Details: details,
				Evidence: append(slices.Clone(fares.Evidence), refused.Unsure...),
			})
		}
	}
	repair := Remedy{Step: "RepairKubelet", Command: t.kubectl(object, "describe")}
	if fares.Leaseless {
		repair = Remedy{Step: "FindWhatRunsNode", Details: details, Command: t.kubectl(node, "describe")}
	}
	stage := t.Health.Words(finding.Phrase{Situation: "StoppingStage", Details: details})
	seen := object.Ref.Observed("%s", stage)
	return session.Cause(Finding{
		Reason: finding.ContainerNotStopping, Situation: "ContainerNotStopping", Object: object.Ref, Details: details,
		Certainty: finding.Likely, Evidence: slices.Concat([]Evidence{seen}, t.volumesGone(ctx, pod), fares.Evidence),
		Remedies: []Remedy{repair, t.Health.Forget(object, nil)},
	})
}
