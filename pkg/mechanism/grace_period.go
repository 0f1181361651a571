package mechanism

import (
	"context"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// podGCPatience is how long the pod garbage collector may take for a pod of a node that is gone: a
// quarantine of 40 s, and a loop every 20 s (k8s v1.37 pkg/controller/podgc/gc_controller.go).
// podGCUsual is what it takes as a rule.
const (
	podGCUsual    = time.Minute
	podGCPatience = 3 * time.Minute
)

// gracePeriod explains a Pod that its kubelet has not confirmed to be gone (deletion-mechanics M05,
// M06). Nothing on the server ends a grace period: the kubelet does, or the pod garbage collector.
func gracePeriod(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Type != finding.GracePeriod {
		return session.Answer{}, false
	}
	pod, answer := session.WholeAs[corev1.Pod](ctx, t.Session, object)
	if pod == nil {
		return answer, true
	}
	if pod.Spec.NodeName == "" || object.GraceSeconds() == 0 {
		return session.Progress(finding.Finding{
			Message: fmt.Sprintf("%s is on its way out: nothing holds it any more.", object.Ref),
			Awaited: "the API server to remove it, which takes a moment",
		}), true
	}
	return t.untilStopped(ctx, object, pod), true
}

// untilStopped answers for a pod that was given a node, until its kubelet reports its end.
func (t *Tools) untilStopped(ctx context.Context, object *session.Object, pod *corev1.Pod) session.Answer {
	node := session.Named(cluster.Nodes(), "", pod.Spec.NodeName)
	read, err := t.Session.Reader.Get(ctx, node.Resource, "", node.Ref.Name)
	switch {
	case apierrors.IsNotFound(err):
		return t.nodeGone(ctx, object, node)
	case err != nil:
		return t.kubeletUnread(object, node, session.Unread(node.Ref.String(), err))
	}
	current, err := session.As[corev1.Node](read)
	if err != nil {
		return session.Unread(node.Ref.String(), err)
	}
	if node, err = session.FromWhole(node.Resource, read); err != nil {
		return session.Unread(node.Ref.String(), err)
	}
	return t.onNode(ctx, object, pod, node, current)
}

// nodeGone answers for a pod whose Node no longer exists: the pod garbage collector removes it.
func (t *Tools) nodeGone(ctx context.Context, object *session.Object, node *session.Object) session.Answer {
	if answer, down := t.Health.ControllerManagerDown(ctx); down {
		return answer
	}
	writes := forgetting(object, refusal.SystemAccount("pod-garbage-collector"))
	if t.Session.Since(object) > podGCPatience {
		return t.Refusals.Overdue(ctx, refusal.Duty{
			Object: object, Since: t.Session.Since(object), What: fmt.Sprintf("remove %s (%s no longer exists)", object.Ref, node.Ref), Writes: writes,
		})
	}
	refused := t.Refusals.Refused(ctx, writes...)
	if refused.Found() {
		return refused.Answer
	}
	return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
		Message: fmt.Sprintf("%s was on %s, which no longer exists. The pod garbage collector removes such pods by itself, as a rule within a minute.",
			object.Ref, node.Ref),
		Awaited: fmt.Sprintf("the pod garbage collector, which removes pods of vanished nodes (%s) by itself, as a rule within a minute",
			node.Ref.Name),
		Evidence: append([]finding.Evidence{{Source: node.Ref.String(), Observed: "not found"}}, t.Health.LeaseEvidence(ctx)...),
		Until:    object.RequestedAt().Add(podGCUsual),
	})
}

// forgetting are the writes that end a pod's grace period: its final status, then DELETE without grace
// (deletion-mechanics M05-2, M06-2).
func forgetting(pod *session.Object, by string) []refusal.Write {
	status := refusal.Write{Operation: admissionregistrationv1.Update, Object: pod, Subresource: "status", By: by}
	return []refusal.Write{status, refusal.Deletion(pod, by)}
}

// onNode answers for a pod whose Node exists: the stage table of deletion-mechanics M05.
func (t *Tools) onNode(ctx context.Context, object *session.Object, pod *corev1.Pod, node *session.Object, current *corev1.Node) session.Answer {
	health := t.Health.NodeHealth(ctx, current)
	if !health.Ready && hasTaint(current, corev1.TaintNodeOutOfService) {
		if answer, down := t.Health.ControllerManagerDown(ctx); down {
			return answer
		}
		refused := t.Refusals.Refused(ctx, forgetting(object, refusal.SystemAccount("pod-garbage-collector"))...)
		if refused.Found() {
			return refused.Answer
		}
		return t.Refusals.ProgressUnless(ctx, refused, finding.Finding{
			Message:  fmt.Sprintf("%s is marked out of service: the pod garbage collector removes its pods within seconds.", node.Ref),
			Awaited:  fmt.Sprintf("the pod garbage collector to remove the pods of %s, which is out of service", node.Ref),
			Evidence: health.Evidence,
		})
	}
	if !health.Ready && node.Terminating() {
		return t.nodeGoing(ctx, object, node, health)
	}
	if !health.Ready {
		return session.Answer{Waits: []session.Wait{{Blocker: node, ForAnswer: true, Otherwise: session.Cause(t.Health.NodeNotReady(object, node, health))}}}
	}
	if health.Unread != nil {
		lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node.Ref.Name)
		return t.kubeletUnread(object, node, session.Unread(lease.Ref.String(), health.Unread, health.Evidence...))
	}
	left := object.Meta.DeletionTimestamp.Sub(t.Session.Now())
	if left > 0 {
		note := t.beingStopped(object, node, left)
		note.Evidence = health.Evidence
		return session.Progress(note)
	}
	return t.notStopping(ctx, object, pod, node, -left, health)
}

// kubeletUnread answers when it can't be told whether the kubelet lives. What is left of the grace
// period is known all the same.
func (t *Tools) kubeletUnread(object, node *session.Object, answer session.Answer) session.Answer {
	if left := object.Meta.DeletionTimestamp.Sub(t.Session.Now()); left > 0 {
		answer.Add(session.Progress(t.beingStopped(object, node, left)))
	}
	return answer
}

// beingStopped is the note of a pod within its grace period.
func (t *Tools) beingStopped(object, node *session.Object, left time.Duration) finding.Finding {
	grace := duration.HumanDuration(time.Duration(object.GraceSeconds()) * time.Second)
	return finding.Finding{
		Message: fmt.Sprintf("%s is being stopped: %s of its %s grace period are left.", object.Ref, duration.HumanDuration(left), grace),
		Awaited: fmt.Sprintf("the kubelet of %s to stop %s; %s of its %s grace period are left", node.Ref, object.Ref, duration.HumanDuration(left), grace),
		Until:   object.Meta.DeletionTimestamp.Time,
	}
}

func hasTaint(node *corev1.Node, key string) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == key {
			return true
		}
	}
	return false
}
