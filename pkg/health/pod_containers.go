package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func containerStatuses(pod *corev1.Pod) []corev1.ContainerStatus {
	return slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
}

// containerStage answers for a pod if a container of it says why it doesn't run.
func containerStage(reads *session.Session, self *session.Object, pod *corev1.Pod) (podStage, bool) {
	for _, status := range containerStatuses(pod) {
		if waiting := status.State.Waiting; waiting != nil && !prepares(waiting.Reason) {
			return waits(reads, self, pod, status, waiting), true
		}
	}
	for _, status := range containerStatuses(pod) {
		if ended := status.State.Terminated; ended != nil && ended.ExitCode != 0 {
			details := finding.PodDetails{Container: status.Name, Exit: exitOf(ended)}
			evidence := self.Ref.Observed("container %q %s", status.Name, endedWith(details.Exit))
			return staged(finding.Phrase{Situation: "ContainerEnded", Details: details}, evidence), true
		}
	}
	return podStage{}, false
}

// prepares reports whether a container waits for nothing of its own: for its volumes and the pod's network, or for the
// init containers.
func prepares(reason string) bool {
	return reason == "" || reason == "ContainerCreating" || reason == "PodInitializing"
}

// inPreparation reports whether a container of a pod has yet to be created.
func inPreparation(pod *corev1.Pod) bool {
	return slices.ContainsFunc(containerStatuses(pod), func(is corev1.ContainerStatus) bool {
		return is.State.Waiting != nil && prepares(is.State.Waiting.Reason)
	})
}

// waits says why a container of a pod waits, and how it last ended (k8s v1.37 pkg/kubelet/container/sync_result.go, and
// pkg/kubelet/images/types.go for images).
func waits(
	reads *session.Session, self *session.Object, pod *corev1.Pod, status corev1.ContainerStatus,
	waiting *corev1.ContainerStateWaiting,
) podStage {
	observed := fmt.Sprintf("container %q is waiting: %s", status.Name, waiting.Reason)
	if waiting.Message != "" {
		observed += ": " + waiting.Message
	}
	details := finding.PodDetails{Container: status.Name, Reason: waiting.Reason}
	if ended := status.LastTerminationState.Terminated; ended != nil {
		details.Exit = exitOf(ended)
		observed += "; it last " + endedWith(details.Exit)
	}
	evidence := self.Ref.Observed("%s", observed)
	switch waiting.Reason {
	case "CrashLoopBackOff": // what it says beside is how long it waits
		return staged(finding.Phrase{Situation: "ContainerWaits", Details: details}, evidence)
	case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError",
		"RegistryUnavailable", "SignatureValidationFailed":
		details.Words, details.Image = waiting.Message, imageOf(pod, status.Name)
		stage := staged(finding.Phrase{Situation: "ImageNotPulled", Details: details}, evidence)
		stepDetails := finding.StepDetails{Object: &self.Ref, Name: details.Image}
		stage.mend = &finding.Remedy{
			Step: "FixImage", Details: stepDetails, Command: reads.Kubectl.Command(self, "describe"),
		}
		return stage
	}
	details.Words = waiting.Message
	if stage, lacks := lacking(reads, self, details, evidence); lacks {
		return stage
	}
	return staged(finding.Phrase{Situation: "ContainerWaits", Details: details}, evidence)
}

// lacking answers for a pod if the words of its details say that an object doesn't exist, or lacks the key that is
// needed (k8s v1.37 pkg/kubelet/kubelet_pods.go:makeEnvironmentVariables).
func lacking(
	reads *session.Session, self *session.Object, details finding.PodDetails, evidence finding.Evidence,
) (stage podStage, lacks bool) {
	details.Lacks = absent(self.Ref.Namespace, details.Words)
	if key := upTo(details.Words, "couldn't find key ", " "); key != "" {
		for _, kind := range []string{"ConfigMap", "Secret"} {
			if _, name, _ := strings.Cut(upTo(details.Words, " in "+kind+" ", " ,"), "/"); name != "" {
				details.Key = key
				details.Lacks = &finding.Ref{APIVersion: "v1", Kind: kind, Namespace: self.Ref.Namespace, Name: name}
			}
		}
	}
	if details.Lacks == nil {
		return podStage{}, false
	}
	stage = staged(finding.Phrase{Situation: "PodLacksObject", Details: details}, evidence)
	stage.mend = new(create(reads, details.Lacks, self))
	if details.Key != "" {
		stepDetails := finding.StepDetails{Object: details.Lacks, Name: details.Key}
		command := reads.Kubectl.CommandFor(*details.Lacks, "describe")
		stage.mend = &finding.Remedy{Step: "AddKey", Details: stepDetails, Command: command}
	}
	return stage, true
}

func imageOf(pod *corev1.Pod, container string) string {
	for _, one := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		if one.Name == container {
			return one.Image
		}
	}
	return ""
}

// runningInit returns the init container that a pod waits for, if one runs that isn't there to stay.
func runningInit(pod *corev1.Pod) string {
	stays := func(name string) bool {
		return slices.ContainsFunc(pod.Spec.InitContainers, func(container corev1.Container) bool {
			return container.Name == name && container.RestartPolicy != nil &&
				*container.RestartPolicy == corev1.ContainerRestartPolicyAlways
		})
	}
	for _, status := range pod.Status.InitContainerStatuses {
		if status.State.Running != nil && !stays(status.Name) {
			return status.Name
		}
	}
	return ""
}

// restarts reports whether the kubelet starts a pod's containers again when they end.
func restarts(pod *corev1.Pod) bool {
	return slices.ContainsFunc(containerStatuses(pod),
		func(is corev1.ContainerStatus) bool { return is.RestartCount > 0 })
}

// lastRestart returns a container that isn't ready and has ended before, and how.
func lastRestart(pod *corev1.Pod) (string, *finding.Exit) {
	for _, status := range containerStatuses(pod) {
		if ended := status.LastTerminationState.Terminated; ended != nil && !status.Ready {
			return status.Name, exitOf(ended)
		}
	}
	return "", nil
}

// exitOf is how a container ended, with the last line that it left behind: the one that says why, as a rule.
func exitOf(ended *corev1.ContainerStateTerminated) *finding.Exit {
	const most = 200
	exit := &finding.Exit{Code: ended.ExitCode, Reason: ended.Reason}
	lines := strings.Split(strings.TrimSpace(ended.Message), "\n")
	last := []rune(strings.TrimSpace(lines[len(lines)-1]))
	exit.Message = string(last[:min(most, len(last))])
	return exit
}

func endedWith(exit *finding.Exit) string {
	text := fmt.Sprintf("ended with code %d (%s)", exit.Code, exit.Reason)
	if exit.Message != "" {
		text += ": " + exit.Message
	}
	return text
}

// ended answers for a pod that has its final phase: nothing of it runs any more, and a pod that nothing controls is not
// started again (k8s v1.37 pkg/kubelet/eviction/eviction_manager.go:Reason).
func ended(reads *session.Session, self *session.Object, pod *corev1.Pod) podStage {
	details := finding.PodDetails{
		Phase: string(pod.Status.Phase), Reason: pod.Status.Reason, Words: strings.TrimRight(pod.Status.Message, ". "),
		Alone: len(pod.OwnerReferences) == 0,
	}
	observed := "phase " + details.Phase
	for _, said := range []string{details.Reason, details.Words} {
		if said != "" {
			observed += ": " + said
		}
	}
	phrase := finding.Phrase{Situation: "PodFailed"}
	switch {
	case pod.Status.Phase == corev1.PodSucceeded:
		phrase.Situation = "PodSucceeded"
	case pod.Status.Reason == "Evicted":
		phrase.Situation = "PodEvicted"
	default:
		for _, status := range containerStatuses(pod) {
			if over := status.State.Terminated; over != nil && over.ExitCode != 0 {
				details.Container, details.Exit = status.Name, exitOf(over)
				observed += fmt.Sprintf("; container %q %s", status.Name, endedWith(details.Exit))
				break
			}
		}
	}
	phrase.Details = details
	stage := staged(phrase, self.Ref.Observed("%s", observed))
	if details.Alone {
		stage.mend = &finding.Remedy{
			Step: "CreatePodAgain", Details: finding.StepDetails{Object: &self.Ref},
			Command: reads.Kubectl.Command(self, "get", "-o", "yaml"),
		}
	}
	return stage
}

// stageByEvents answers for a pod by the newest event that says why: of one in preparation, what its kubelet can't
// prepare; of one that runs, the probe that fails (k8s v1.37 pkg/kubelet/events/event.go).
func (c *Checker) stageByEvents(
	ctx context.Context, self *session.Object, pod *corev1.Pod, preparing bool,
) (stage podStage, told bool, err error) {
	reasons := []string{"Unhealthy"}
	if preparing {
		reasons = []string{"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"}
	}
	said, err := c.Warning(ctx, self, reasons...)
	if err != nil || said == nil {
		return podStage{}, false, err
	}
	details := finding.PodDetails{Phase: string(pod.Status.Phase), Words: said.Words}
	evidence := said.Evidence(self.Ref)
	if preparing {
		if stage, lacks := lacking(c.Session, self, details, evidence); lacks {
			return stage, true, nil
		}
		return staged(finding.Phrase{Situation: "PodNotPrepared", Details: details}, evidence), true, nil
	}
	details.Container, details.Exit = lastRestart(pod)
	return staged(finding.Phrase{Situation: "ProbeFails", Details: details}, evidence), true, nil
}
