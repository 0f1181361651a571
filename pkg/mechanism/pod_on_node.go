package mechanism

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func untilStopped(ctx context.Context, t *Tools, object *Object, pod *corev1.Pod) Answer {
	node := session.Named(cluster.Nodes(), "", pod.Spec.NodeName)
	current, err := session.ReadAs[corev1.Node](ctx, t.Session, node)
	if err == nil {
		node, err = session.FromWhole(node.Resource, node.Whole)
	}
	switch {
	case apierrors.IsNotFound(err):
		return nodeGone(ctx, t, object, node)
	case err != nil:
		return kubeletUnread(t.Session, object, node, session.Unread(finding.UnreadObject(node.Ref), err))
	}
	return podOnNode(ctx, t, object, pod, node, current)
}

// podOnNode answers for a pod whose Node exists: the stages of docs/deletion.md#grace-period.
func podOnNode(ctx context.Context, t *Tools, object *Object, pod *corev1.Pod, node *Object, is *corev1.Node) Answer {
	fares := t.Health.NodeHealth(ctx, is)
	outOfService := func(taint corev1.Taint) bool { return taint.Key == corev1.TaintNodeOutOfService }
	switch left := object.Meta.DeletionTimestamp.Sub(t.Session.Now()); {
	case !fares.Ready && slices.ContainsFunc(is.Spec.Taints, outOfService):
		return collectedPod(ctx, t.Health, t.Refusals, object,
			Finding{Situation: "NodeOutOfService", Object: node.Ref, Evidence: fares.Evidence})
	case !fares.Ready && node.Terminating():
		return nodeGoing(ctx, t, object, node, fares)
	case !fares.Ready:
		return awaitKubelet(t.Health, object, node, fares)
	case fares.Unread != nil:
		lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node.Ref.Name)
		return kubeletUnread(t.Session, object, node,
			session.Unread(finding.UnreadObject(lease.Ref), fares.Unread, fares.Evidence...))
	case left > 0:
		return session.Progress(beingStopped(t.Session, object, node, fares.Evidence...))
	default:
		return notStopping(ctx, t, object, pod, node, -left, fares)
	}
}

// awaitKubelet answers for a pod whose kubelet doesn't answer. In the Node's first moment that is no cause yet. Nor is
// it progress, not even within the grace period: nothing shows that the kubelet stops the pod.
func awaitKubelet(checker *health.Checker, pod, node *Object, fares health.NodeHealth) Answer {
	if fares.InFirstMoment() {
		return mayReturn(node, health.NodeMayReturn(node, fares))
	}
	return session.AwaitAnswer(node, checker.NodeNotReady(pod, node, fares, nil))
}

func mayReturn(node *Object, note Finding) Answer {
	return Answer{Waits: []Wait{{Blocker: node, ForAnswer: true, Otherwise: session.Open(note)}}}
}

// kubeletUnread answers where the kubelet's state is unknown. What is left of the grace period is known all the same.
func kubeletUnread(reads *session.Session, object, node *Object, answer Answer) Answer {
	if reads.Now().Before(object.Meta.DeletionTimestamp.Time) {
		answer.Add(session.Progress(beingStopped(reads, object, node)))
	}
	return answer
}
