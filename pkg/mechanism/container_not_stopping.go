package mechanism

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// shutdownSlack is how long after its grace period a kubelet may take to report a pod's end.
const shutdownSlack = 10 * time.Second

// notStopping answers for a pod whose grace period is over on a node that is alive: something of it is still there, and
// the pod's status tells at which stage (docs/deletion.md#grace-period). A Node without a Lease has no kubelet here: a
// virtual cluster's pods run in another cluster.
func notStopping(
	ctx context.Context, t *Tools, object *Object, pod *corev1.Pod, node *Object, late time.Duration,
	fares health.NodeHealth,
) Answer {
	details := stopping(object, node)
	details.Leaseless = fares.Leaseless
	if late < shutdownSlack {
		return session.Progress(Finding{
			Situation: "PodJustLate", Object: object.Ref, Details: details, Evidence: fares.Evidence,
		})
	}
	details.Ended, details.Running = podEnded(pod), runningContainers(pod)
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
	said := complaintOfKubelet(ctx, t.Health, object)
	if said != nil {
		details.Words = said.Words
	}
	repair := Remedy{Step: "RepairKubelet", Details: details, Command: t.Session.Kubectl.Command(object, "describe")}
	if fares.Leaseless {
		repair = Remedy{Step: "FindWhatRunsNode", Details: details, Command: t.Session.Kubectl.Command(node, "describe")}
	}
	evidence := []Evidence{object.Ref.Observed("phase %s; containers that run: %s",
		cmp.Or(string(pod.Status.Phase), "not set"), cmp.Or(strings.Join(details.Running, ", "), "none"))}
	if said != nil {
		evidence = append(evidence, said.Evidence(object.Ref))
	}
	return session.Cause(Finding{
		Reason: finding.ContainerNotStopping, Situation: "ContainerNotStopping", Object: object.Ref, Details: details,
		Key:       finding.KeyOf("ContainerNotStopping", node.Ref, details.Ended, details.Running, details.Words),
		Certainty: finding.Likely, Evidence: slices.Concat(evidence, volumesGone(ctx, t.Session, pod), fares.Evidence),
		Remedies: []Remedy{repair, health.Forget(t.Health.Session, object, nil)},
	})
}

// runningContainers are the containers of a pod that run, of whatever sort.
func runningContainers(pod *corev1.Pod) (names []string) {
	status := pod.Status
	for _, is := range slices.Concat(status.InitContainerStatuses, status.ContainerStatuses,
		status.EphemeralContainerStatuses) {
		if is.State.Running != nil {
			names = append(names, is.Name)
		}
	}
	return names
}

// complaintOfKubelet is the last that a kubelet reported about a pod since its deletion which may be why it doesn't
// stop, or nil (k8s v1.37 pkg/kubelet/events/event.go). No event proves nothing.
func complaintOfKubelet(ctx context.Context, checker *health.Checker, pod *Object) *health.Complaint {
	said, err := checker.Warning(ctx, pod, "FailedKillPod", "FailedPreStopHook", "FailedSync", "ExceededGracePeriod")
	if err != nil || said == nil || said.At.Before(pod.RequestedAt()) { // a failure is remembered
		return nil
	}
	return said
}
