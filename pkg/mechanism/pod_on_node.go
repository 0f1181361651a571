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

// nodeGoing answers for a pod whose kubelet doesn't answer, and whose Node is being deleted, as autoscalers do with
// machines that they have taken away. Two things would end the wait: the kubelet's word, and the Node's going, after
// which the pod garbage collector forgets the pod (deletion-mechanics M06). So the Node is a part of the path, and what
// holds it the deeper cause. As long as somebody is at work on that, nothing is wrong.
func (t *Tools) nodeGoing(ctx context.Context, pod, node *Object, fares health.NodeHealth) Answer {
	answer := Answer{Waits: []Wait{{Blocker: node}}, Remarks: []Finding{{
		Situation: "PodGoesWithNode", Object: pod.Ref, Key: finding.KeyOf("PodGoesWithNode", node.Ref),
		Details: finding.TaskDetails{Object: pod.Ref, Other: &node.Ref},
	}}}
	byItself := true
	for _, hold := range node.Holds() {
		found := Explain(ctx, t, node, hold)
		byItself = byItself && len(found.Causes)+len(found.Waits)+len(found.Open) == 0
		if slices.ContainsFunc(found.Waits, func(wait Wait) bool { return wait.Blocker.Ref == pod.Ref }) {
			// The Node waits for this pod in turn, as for a mirror pod that it owns: its kubelet alone ends that.
			return session.AwaitAnswer(node, t.Health.NodeNotReady(pod, node, fares, nil))
		}
	}
	if !byItself {
		answer.Add(session.AwaitAnswer(node, t.nodeLost(pod, node, fares)))
	}
	return answer
}

// nodeLost is NodeNotReady of a Node that isn't meant to come back.
func (t *Tools) nodeLost(pod, node *Object, fares health.NodeHealth) Finding {
	at := node.RequestedAt()
	cause := t.Health.NodeNotReady(pod, node, fares, &at)
	var names []string
	for _, hold := range node.Holds() {
		names = append(names, hold.Name)
	}
	deleted := node.Ref.Observed("deleted %s ago, and held by %s", t.Session.Ago(at), finding.Some(names, 3))
	cause.Evidence = append(cause.Evidence, deleted.When(at))
	cause.Remedies[0] = Remedy{
		Step: "SeeWhatHoldsNode", Details: finding.StepDetails{Object: &node.Ref},
		Command: t.kubectl(node, "get", "-o", "jsonpath={.metadata.finalizers}"),
	}
	return cause
}

// shutdownSlack is how long after its grace period a kubelet may take to report a pod's end.
const shutdownSlack = 10 * time.Second

// notStopping answers for a pod whose grace period is over on a node that is alive: something of it
// is still there, and the pod's status tells at which stage (deletion-mechanics M05-4).
func (t *Tools) notStopping(
	ctx context.Context, object *Object, pod *corev1.Pod, node *Object, late time.Duration, fares health.NodeHealth,
) Answer {
	details := stopping(object, node)
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
	if len(details.Running) == 0 { // what is left are the kubelet's own requests
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
	stage := t.Health.Words(finding.Phrase{Situation: "StoppingStage", Details: details})
	seen := object.Ref.Observed("%s", stage)
	return session.Cause(Finding{
		Reason: finding.ContainerNotStopping, Situation: "ContainerNotStopping", Object: object.Ref, Details: details,
		Certainty: finding.Likely, Evidence: append([]Evidence{seen}, fares.Evidence...),
		Remedies: []Remedy{{Step: "RepairKubelet", Command: t.kubectl(object, "describe")}, t.Health.Forget(object, nil)},
	})
}
