package states

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

// pods is printPod of the API server.
func pods(pod *corev1.Pod) map[string]string {
	p := printedPod{
		pod: pod, state: cmp.Or(pod.Status.Reason, string(pod.Status.Phase)), total: len(pod.Spec.Containers),
	}
	if p.condition(corev1.PodScheduled).Reason == corev1.PodReasonSchedulingGated {
		p.state = corev1.PodReasonSchedulingGated
	}
	if !p.initContainers() || p.condition(corev1.PodInitialized).Status == corev1.ConditionTrue {
		p.containers()
	}
	if pod.DeletionTimestamp != nil {
		switch {
		case pod.Status.Reason == "NodeLost":
			p.state = "Unknown"
		case pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed:
			p.state = "Terminating"
		}
	}
	return map[string]string{ready: fmt.Sprintf("%d/%d", p.ready, p.total), status: p.state}
}

// printedPod is a pod's state while its containers are gone through.
type printedPod struct {
	pod          *corev1.Pod
	state        string
	ready, total int
}

// condition returns the condition of a type, which is empty where the pod has none.
func (p *printedPod) condition(wanted corev1.PodConditionType) corev1.PodCondition {
	for _, condition := range p.pod.Status.Conditions {
		if condition.Type == wanted {
			return condition
		}
	}
	return corev1.PodCondition{}
}

// initContainers reports whether the pod is still being initialized.
func (p *printedPod) initContainers() bool {
	sidecar := map[string]bool{} // init containers that continue running
	for _, container := range p.pod.Spec.InitContainers {
		if container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecar[container.Name] = true
			p.total++
		}
	}
	for i, container := range p.pod.Status.InitContainerStatuses {
		ended, waiting := container.State.Terminated, container.State.Waiting
		switch {
		case ended != nil && ended.ExitCode == 0:
			continue
		case sidecar[container.Name] && container.Started != nil && *container.Started:
			if container.Ready {
				p.ready++
			}
			continue
		case ended != nil:
			p.state = "Init:" + endedAs(ended)
		case waiting != nil && waiting.Reason != "" && waiting.Reason != "PodInitializing":
			p.state = "Init:" + waiting.Reason
		default:
			p.state = fmt.Sprintf("Init:%d/%d", i, len(p.pod.Spec.InitContainers))
		}
		return true
	}
	return false
}

func (p *printedPod) containers() {
	running, failed := false, ""
	for i := len(p.pod.Status.ContainerStatuses) - 1; i >= 0; i-- {
		container := p.pod.Status.ContainerStatuses[i]
		ended, waiting := container.State.Terminated, container.State.Waiting
		switch {
		case waiting != nil && waiting.Reason != "":
			p.state = waiting.Reason
		case ended != nil:
			p.state = endedAs(ended)
			if ended.ExitCode != 0 {
				failed = p.state
			}
		case container.Ready && container.State.Running != nil:
			running = true
			p.ready++
		}
	}
	if p.state != "Completed" {
		return
	}
	switch {
	case running && p.condition(corev1.PodReady).Status == corev1.ConditionTrue:
		p.state = "Running"
	case failed != "":
		p.state = failed
	case running:
		p.state = "NotReady"
	}
}

func endedAs(ended *corev1.ContainerStateTerminated) string {
	switch {
	case ended.Reason != "":
		return ended.Reason
	case ended.Signal != 0:
		return fmt.Sprintf("Signal:%d", ended.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", ended.ExitCode)
}
