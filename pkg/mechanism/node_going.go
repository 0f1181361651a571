package mechanism

import (
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// nodeGoing answers for a pod whose kubelet doesn't answer, and whose Node is being deleted, as autoscalers do with
// machines that they have taken away. Two things would end the wait: the kubelet's word, and the Node's going, after
// which the pod garbage collector forgets the pod (deletion-mechanics M06). So the Node is a part of the path, and what
// holds it the deeper cause. As long as somebody is at work on that, nothing is wrong.
func (t *Tools) nodeGoing(ctx context.Context, pod, node *session.Object, health health.NodeHealth) session.Answer {
	answer := session.Answer{Waits: []session.Wait{{Blocker: node}}, Remarks: []finding.Finding{{
		Message: fmt.Sprintf("%s is being deleted. Once it is gone, the pod garbage collector removes %s by itself, as a rule within a minute.", node.Ref, pod.Ref),
		Awaited: fmt.Sprintf("%s to go", node.Ref),
	}}}
	byItself := true
	for _, hold := range node.Holds() {
		found := Explain(ctx, t, node, hold)
		byItself = byItself && len(found.Causes)+len(found.Waits)+len(found.Open) == 0
		if slices.ContainsFunc(found.Waits, func(wait session.Wait) bool { return wait.Blocker.Ref == pod.Ref }) {
			// The Node waits for this pod in turn, as for a mirror pod that it owns: its kubelet alone ends that.
			return session.Answer{Waits: []session.Wait{{Blocker: node, ForAnswer: true, Otherwise: session.Cause(t.Health.NodeNotReady(pod, node, health))}}}
		}
	}
	if !byItself {
		answer.Waits = append(answer.Waits, session.Wait{Blocker: node, ForAnswer: true, Otherwise: session.Cause(t.nodeLost(pod, node, health))})
	}
	return answer
}

// nodeLost is NodeNotReady of a Node that isn't meant to come back.
func (t *Tools) nodeLost(pod, node *session.Object, health health.NodeHealth) finding.Finding {
	cause, ago := t.Health.NodeNotReady(pod, node, health), t.Session.Ago(node.RequestedAt())
	at := node.RequestedAt()
	cause.Message += fmt.Sprintf(" The Node was deleted %s ago and is not meant to come back; the pods that were on it are removed when it is gone.", ago)
	cause.Awaited += fmt.Sprintf(", and which was deleted %s ago", ago)
	cause.Evidence = append(cause.Evidence, finding.Evidence{
		Source: node.Ref.String(), Observed: fmt.Sprintf("deleted %s ago, and held by %s", ago, holdNames(node)), Object: &node.Ref, At: &at,
	})
	cause.Remedies[0] = finding.Remedy{
		Action:  fmt.Sprintf("See what holds %s, and mend that. Once it is gone, the pod garbage collector removes its pods by itself, as a rule within a minute.", node.Ref),
		Command: t.Session.Kubectl.Command(node, "get", "-o", "jsonpath={.metadata.finalizers}"), Risk: finding.NoRisk,
	}
	cause.Remedies[1].Action = "If the machine is certainly off, and its pods can't wait for that: say so, and they are removed and their volumes detached."
	return cause
}

// holdNames names what holds an object.
func holdNames(object *session.Object) string {
	var names []string
	for _, hold := range object.Holds() {
		names = append(names, hold.Name)
	}
	return session.Some(names, 3)
}
