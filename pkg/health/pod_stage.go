package health

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// PodStage says why a pod isn't ready, in a phrase that completes "Pod x …", and by what that is seen.
func (c *Checker) PodStage(
	ctx context.Context, object *session.Object, pod *corev1.Pod,
) (stage finding.Phrase, evidence []finding.Evidence) {
	details := finding.PodDetails{Phase: string(pod.Status.Phase)}
	say := func(format string, of ...any) []finding.Evidence {
		return []finding.Evidence{object.Ref.Observed(format, of...)}
	}
	if pod.DeletionTimestamp != nil {
		return finding.Phrase{Situation: "PodGoing"}, say("deleted %s ago", c.Session.Ago(object.RequestedAt()))
	}
	if is := PodCondition(pod, corev1.PodScheduled); is != nil && is.Status == corev1.ConditionFalse {
		details.Words = is.Message
		evidence = say("condition PodScheduled is False: %s: %s", is.Reason, is.Message)
		return finding.Phrase{Situation: "PodUnschedulable", Details: details}, evidence
	}
	if pod.Spec.NodeName == "" {
		return finding.Phrase{Situation: "PodUnassigned"}, say("spec.nodeName is empty")
	}
	if node, health := c.nodeUnderneath(ctx, pod); node != nil {
		state := health.State()
		details.Node, details.State = &node.Ref, &state
		evidence = append(say("on %s", node.Ref), health.Evidence...)
		return finding.Phrase{Situation: "PodOnLostNode", Details: details}, evidence
	}
	if container, waiting := WaitingContainer(pod); waiting != nil {
		return Waits(object, pod, container, waiting)
	}
	ready := PodCondition(pod, corev1.PodReady)
	switch {
	case ready != nil && ready.Status == corev1.ConditionTrue:
		return finding.Phrase{Situation: "PodNotListed"}, say("condition Ready is True")
	case ready != nil && ready.Message != "":
		details.Words = ready.Message
		evidence = say("condition Ready is %s: %s", ready.Status, ready.Message)
	default:
		evidence = say("phase %s, not ready", details.Phase)
	}
	return finding.Phrase{Situation: "PodNotReady", Details: details}, evidence
}

// Waits says why a container of a pod doesn't run: by what it waits for, and how it last ended.
func Waits(
	object *session.Object, pod *corev1.Pod, container string, waiting *corev1.ContainerStateWaiting,
) (stage finding.Phrase, evidence []finding.Evidence) {
	observed := fmt.Sprintf("container %s waits: %s", container, waiting.Reason)
	if waiting.Message != "" {
		observed += ": " + waiting.Message
	}
	details := finding.PodDetails{Container: container, Reason: waiting.Reason, Exit: lastExit(pod, container)}
	if exit := details.Exit; exit != nil {
		observed += fmt.Sprintf("; it last ended with code %d (%s)", exit.Code, exit.Reason)
	}
	evidence = []finding.Evidence{object.Ref.Observed("%s", observed)}
	return finding.Phrase{Situation: "ContainerWaits", Details: details}, evidence
}

// nodeUnderneath returns a pod's node and its health if that is why the pod isn't ready, else nil.
func (c *Checker) nodeUnderneath(ctx context.Context, pod *corev1.Pod) (*session.Object, NodeHealth) {
	node := session.Named(cluster.Nodes(), "", pod.Spec.NodeName)
	current, err := session.ReadAs[corev1.Node](ctx, c.Session, node)
	if apierrors.IsNotFound(err) {
		gone := finding.NodeNotReadyDetails{Gone: true}
		return node, NodeHealth{details: gone, Evidence: []finding.Evidence{node.Ref.NotFound()}}
	}
	if err == nil {
		if health := c.NodeHealth(ctx, current); !health.Ready {
			return node, health
		}
	}
	return nil, NodeHealth{}
}

// PodCondition returns one of a pod's conditions, or nil.
func PodCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	at := slices.IndexFunc(pod.Status.Conditions, func(is corev1.PodCondition) bool { return is.Type == kind })
	if at < 0 {
		return nil
	}
	return &pod.Status.Conditions[at]
}

func containerStatuses(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

// WaitingContainer returns the first container that waits. PodInitializing says only that another one is not done.
func WaitingContainer(pod *corev1.Pod) (string, *corev1.ContainerStateWaiting) {
	for _, status := range containerStatuses(pod) {
		waiting := status.State.Waiting
		if waiting != nil && waiting.Reason != "" && waiting.Reason != "PodInitializing" {
			return status.Name, waiting
		}
	}
	return "", nil
}

func lastExit(pod *corev1.Pod, container string) *finding.Exit {
	for _, status := range containerStatuses(pod) {
		if ended := status.LastTerminationState.Terminated; status.Name == container && ended != nil {
			return &finding.Exit{Code: ended.ExitCode, Reason: ended.Reason}
		}
	}
	return nil
}

// Restarts tells whether the kubelet starts a pod's containers again when they end.
func Restarts(pod *corev1.Pod) bool {
	return slices.ContainsFunc(containerStatuses(pod), func(is corev1.ContainerStatus) bool { return is.RestartCount > 0 })
}
