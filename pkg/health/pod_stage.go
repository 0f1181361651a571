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

// PodStage says why a pod isn't ready: words that complete "Pod x …".
func (c *Checker) PodStage(ctx context.Context, object *session.Object, pod *corev1.Pod) (words string, evidence []finding.Evidence) {
	say := func(observed string) []finding.Evidence {
		return []finding.Evidence{{Source: object.Ref.String(), Observed: observed, Object: &object.Ref}}
	}
	if pod.DeletionTimestamp != nil {
		return "is being deleted", say("deleted " + c.Session.Ago(object.RequestedAt()) + " ago")
	}
	if scheduled := PodCondition(pod, corev1.PodScheduled); scheduled != nil && scheduled.Status == corev1.ConditionFalse {
		return "can't be scheduled: " + scheduled.Message, say(fmt.Sprintf("condition PodScheduled is False: %s: %s", scheduled.Reason, scheduled.Message))
	}
	if pod.Spec.NodeName == "" {
		return "has not been given a node", say("spec.nodeName is empty")
	}
	if node, health := c.nodeUnderneath(ctx, pod); node != nil {
		return fmt.Sprintf("is on %s, which %s", node.Ref, health.state), append(say("on "+node.Ref.String()), health.Evidence...)
	}
	if container, waiting := WaitingContainer(pod); waiting != nil {
		return Waits(object, pod, container, waiting)
	}
	if ready := PodCondition(pod, corev1.PodReady); ready != nil && ready.Status == corev1.ConditionTrue {
		return "is ready, and is not among the endpoints: the Service's targetPort is none of its ports, or its addresses have yet to be written", say("condition Ready is True")
	} else if ready != nil && ready.Message != "" {
		return "is not ready: " + ready.Message, say(fmt.Sprintf("condition Ready is %s: %s", ready.Status, ready.Message))
	}
	return fmt.Sprintf("is not ready (phase %s)", pod.Status.Phase), say("phase " + string(pod.Status.Phase) + ", not ready")
}

// Waits says why a container of a pod doesn't run: by what it waits for, and how it last ended.
func Waits(object *session.Object, pod *corev1.Pod, container string, waiting *corev1.ContainerStateWaiting) (words string, evidence []finding.Evidence) {
	words = fmt.Sprintf("is in %s (container %s", waiting.Reason, container)
	observed := fmt.Sprintf("container %s waits: %s", container, waiting.Reason)
	if waiting.Message != "" {
		observed += ": " + waiting.Message
	}
	if ended := lastEnd(pod, container); ended != "" {
		words += ", which last " + ended
		observed += "; it last " + ended
	}
	return words + ")", []finding.Evidence{{Source: object.Ref.String(), Observed: observed, Object: &object.Ref}}
}

// nodeUnderneath returns a pod's node and its health if that is why the pod isn't ready, else nil.
func (c *Checker) nodeUnderneath(ctx context.Context, pod *corev1.Pod) (*session.Object, NodeHealth) {
	node := session.Named(cluster.Nodes(), "", pod.Spec.NodeName)
	read, err := c.Session.Reader.Get(ctx, node.Resource, "", node.Ref.Name)
	if apierrors.IsNotFound(err) {
		return node, NodeHealth{state: "no longer exists", Evidence: []finding.Evidence{{Source: node.Ref.String(), Observed: "not found"}}}
	}
	if err != nil {
		return nil, NodeHealth{}
	}
	current, err := session.As[corev1.Node](read)
	if err != nil {
		return nil, NodeHealth{}
	}
	health := c.NodeHealth(ctx, current)
	if health.Ready {
		return nil, health
	}
	node.Ref.UID = string(current.UID)
	return node, health
}

// PodCondition returns one of a pod's conditions, or nil.
func PodCondition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == kind {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

func containerStatuses(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

// WaitingContainer returns the first container that waits for something that may not come.
// PodInitializing says only that another one is not done.
func WaitingContainer(pod *corev1.Pod) (string, *corev1.ContainerStateWaiting) {
	for _, status := range containerStatuses(pod) {
		if waiting := status.State.Waiting; waiting != nil && waiting.Reason != "" && waiting.Reason != "PodInitializing" {
			return status.Name, waiting
		}
	}
	return "", nil
}

// lastEnd says how a container ended the last time, or nothing.
func lastEnd(pod *corev1.Pod, container string) string {
	for _, status := range containerStatuses(pod) {
		if ended := status.LastTerminationState.Terminated; status.Name == container && ended != nil {
			return fmt.Sprintf("ended with code %d (%s)", ended.ExitCode, ended.Reason)
		}
	}
	return ""
}

// Restarts tells whether the kubelet starts a pod's containers again when they end.
func Restarts(pod *corev1.Pod) bool {
	return slices.ContainsFunc(containerStatuses(pod), func(status corev1.ContainerStatus) bool { return status.RestartCount > 0 })
}
