package mechanism

import (
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podGCPatience is how long the pod garbage collector may take for a pod of a node that is gone: a quarantine of 40 s,
// and a loop every 20 s (k8s v1.37 pkg/controller/podgc/gc_controller.go). podGCUsual is what it takes as a rule.
const (
	podGCUsual    = time.Minute
	podGCPatience = 3 * time.Minute
)

// nodeGone answers for a pod whose Node no longer exists: the pod garbage collector removes it.
func nodeGone(ctx context.Context, t *Tools, object *Object, node *Object) Answer {
	details, since := finding.TaskDetails{Object: object.Ref, Other: &node.Ref}, t.Session.Since(object)
	if answer, down := t.Health.ControlPlane.ControllerManagerDown(ctx, object); down {
		return answer
	}
	if since > podGCPatience {
		return t.Refusals.Overdue(ctx, refusal.Duty{
			Object: object, Since: since, Writes: forgetting(object, refusal.SystemAccount("pod-garbage-collector")),
			Task: finding.Phrase{Situation: "RemoveLostPod", Details: details},
		})
	}
	return collectedPod(ctx, t.Health, t.Refusals, object, Finding{
		Situation: "PodOfGoneNode", Object: object.Ref, Details: details, Key: finding.KeyOf("PodOfGoneNode", node.Ref),
		Evidence: append([]Evidence{node.Ref.NotFound()}, t.Health.ControlPlane.LeaseEvidence(ctx)...),
		Until:    object.RequestedAt().Add(podGCUsual),
	})
}

func collectedPod(
	ctx context.Context, checker *health.Checker, refusals *refusal.Checker, pod *Object, note Finding,
) Answer {
	if answer, down := checker.ControlPlane.ControllerManagerDown(ctx, pod); down {
		return answer
	}
	refused := refusals.Refused(ctx, forgetting(pod, refusal.SystemAccount("pod-garbage-collector"))...)
	if refused.Found() {
		return refused.Answer
	}
	return refusals.ProgressUnless(ctx, refused, note)
}

// nodeGoing answers for a pod whose kubelet doesn't answer, and whose Node is being deleted, as autoscalers do with
// machines that they have taken away. Two things would end the wait: the kubelet's word, and the Node's going, after
// which the pod garbage collector forgets the pod (docs/deletion.md#pods-without-a-usable-node). So the Node is a part
// of the path, and what holds it the deeper cause. As long as a controller works on that, nothing is wrong.
func nodeGoing(ctx context.Context, t *Tools, pod, node *Object, fares health.NodeHealth) Answer {
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
			return awaitKubelet(t.Health, pod, node, fares)
		}
	}
	switch {
	case byItself:
	case fares.InFirstMoment():
		answer.Add(mayReturn(node, health.NodeMayReturn(node, fares)))
	default:
		answer.Add(session.AwaitAnswer(node, nodeLost(t.Session, t.Health, pod, node, fares)))
	}
	return answer
}

// nodeLost is NodeNotReady of a Node that isn't meant to come back.
func nodeLost(reads *session.Session, checker *health.Checker, pod, node *Object, fares health.NodeHealth) Finding {
	at := node.RequestedAt()
	cause := checker.NodeNotReady(pod, node, fares, &at)
	cause.Ends = &node.Ref
	var names []string
	for _, hold := range node.Holds() {
		names = append(names, hold.Name)
	}
	deleted := node.Ref.Observed("%s, held by %s", reads.Deleted(at), finding.Some(names, 3))
	cause.Evidence = append(cause.Evidence, deleted.When(at))
	cause.Remedies[0] = Remedy{
		Step: "FixWhatHoldsNode", Details: finding.StepDetails{Object: &node.Ref, Names: names},
	}
	return cause
}
