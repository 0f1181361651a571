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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
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
func gracePeriod(ctx context.Context, w *World, object *Object, hold graph.Hold) (Answer, bool) {
	if hold.Type != graph.GracePeriod {
		return Answer{}, false
	}
	pod, answer := wholeAs[corev1.Pod](ctx, w, object)
	if pod == nil {
		return answer, true
	}
	if pod.Spec.NodeName == "" || object.GraceSeconds() == 0 {
		return progress(Note{
			Message: fmt.Sprintf("%s is on its way out: nothing holds it any more.", object.Ref),
			Awaited: "the API server to remove it, which takes a moment",
		}), true
	}
	return w.untilStopped(ctx, object, pod), true
}

// untilStopped answers for a pod that was given a node, until its kubelet reports its end.
func (w *World) untilStopped(ctx context.Context, object *Object, pod *corev1.Pod) Answer {
	node := Named(cluster.Nodes(), "", pod.Spec.NodeName)
	read, err := w.Reader.Get(ctx, node.Resource, "", node.Ref.Name)
	switch {
	case apierrors.IsNotFound(err):
		return w.nodeGone(ctx, object, node)
	case err != nil:
		return w.kubeletUnread(object, node, unread(node.Ref.String(), err))
	}
	current, err := as[corev1.Node](read)
	if err != nil {
		return unread(node.Ref.String(), err)
	}
	node.Ref.UID = string(current.UID)
	return w.onNode(ctx, object, pod, node, current)
}

// nodeGone answers for a pod whose Node no longer exists: the pod garbage collector removes it.
func (w *World) nodeGone(ctx context.Context, object *Object, node *Object) Answer {
	if answer, down := w.controllerManagerDown(ctx); down {
		return answer
	}
	writes := forgetting(object, systemAccount("pod-garbage-collector"))
	if w.since(object) > podGCPatience {
		return w.overdue(ctx, duty{
			object: object, since: w.since(object), what: fmt.Sprintf("remove %s (%s no longer exists)", object.Ref, node.Ref), writes: writes,
		})
	}
	refused := w.refused(ctx, writes...)
	if refused.found() {
		return refused.answer
	}
	return w.progressUnless(ctx, refused, Note{
		Message: fmt.Sprintf("%s was on %s, which no longer exists. The pod garbage collector removes such pods by itself, as a rule within a minute.",
			object.Ref, node.Ref),
		Awaited: fmt.Sprintf("the pod garbage collector, which removes pods of vanished nodes (%s) by itself, as a rule within a minute",
			node.Ref.Name),
		Evidence: append([]graph.Evidence{{Source: node.Ref.String(), Observed: "not found"}}, w.leaseEvidence(ctx)...),
		Until:    object.RequestedAt().Add(podGCUsual),
	})
}

// forgetting are the writes that end a pod's grace period: its final status, then DELETE without grace
// (deletion-mechanics M05-2, M06-2).
func forgetting(pod *Object, by string) []write {
	status := write{operation: admissionregistrationv1.Update, object: pod, subresource: "status", by: by}
	return []write{status, deletion(pod, by)}
}

// onNode answers for a pod whose Node exists: the stage table of deletion-mechanics M05.
func (w *World) onNode(ctx context.Context, object *Object, pod *corev1.Pod, node *Object, current *corev1.Node) Answer {
	health := w.nodeHealth(ctx, current)
	if !health.ready && hasTaint(current, corev1.TaintNodeOutOfService) {
		if answer, down := w.controllerManagerDown(ctx); down {
			return answer
		}
		refused := w.refused(ctx, forgetting(object, systemAccount("pod-garbage-collector"))...)
		if refused.found() {
			return refused.answer
		}
		return w.progressUnless(ctx, refused, Note{
			Message:  fmt.Sprintf("%s is marked out of service: the pod garbage collector removes its pods within seconds.", node.Ref),
			Awaited:  fmt.Sprintf("the pod garbage collector to remove the pods of %s, which is out of service", node.Ref),
			Evidence: health.evidence,
		})
	}
	if !health.ready {
		return Answer{Waits: []Wait{{Blocker: node, ForAnswer: true, Otherwise: cause(w.nodeNotReady(object, node, health))}}}
	}
	if health.unread != nil {
		lease := Named(cluster.Leases(), corev1.NamespaceNodeLease, node.Ref.Name)
		return w.kubeletUnread(object, node, unread(lease.Ref.String(), health.unread, health.evidence...))
	}
	left := object.Meta.DeletionTimestamp.Sub(w.Now())
	if left > 0 {
		note := w.beingStopped(object, node, left)
		note.Evidence = health.evidence
		return progress(note)
	}
	return w.notStopping(ctx, object, pod, node, -left, health)
}

// kubeletUnread answers when it can't be told whether the kubelet lives. What is left of the grace
// period is known all the same.
func (w *World) kubeletUnread(object, node *Object, answer Answer) Answer {
	if left := object.Meta.DeletionTimestamp.Sub(w.Now()); left > 0 {
		answer.add(progress(w.beingStopped(object, node, left)))
	}
	return answer
}

// beingStopped is the note of a pod within its grace period.
func (w *World) beingStopped(object, node *Object, left time.Duration) Note {
	grace := duration.HumanDuration(time.Duration(object.GraceSeconds()) * time.Second)
	return Note{
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
