package health

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Crashed reports whether a container has ended with an error, or waits to be started after that.
func Crashed(status corev1.ContainerStatus) bool {
	if ended := status.State.Terminated; ended != nil {
		return ended.ExitCode != 0
	}
	waiting := status.State.Waiting
	return waiting != nil && (waiting.Reason == "CrashLoopBackOff" || status.RestartCount > 0 && !prepares(waiting.Reason))
}

// Restarts are what a container shows that keeps being restarted.
type Restarts struct {
	Words    finding.Phrase // completes "Deployment x …"
	Evidence finding.Evidence
	Started  time.Time // the last time

	pod       *session.Object
	container string
}

// RestartsOf returns it.
func RestartsOf(pod *corev1.Pod, status corev1.ContainerStatus) Restarts {
	self, last := objectOf(pod), status.LastTerminationState.Terminated
	details := finding.RestartDetails{
		Pod: &self.Ref, Container: status.Name, Times: status.RestartCount, Exit: exitOf(last), At: last.FinishedAt.Time,
	}
	seen := self.Ref.Observed("container %q was restarted %d times; it last %s",
		status.Name, status.RestartCount, endedWith(details.Exit))
	found := Restarts{
		Words: finding.Phrase{Situation: "RestartsOften", Details: details}, Evidence: when(seen, details.At),
		Started: details.At, pod: self, container: status.Name,
	}
	if running := status.State.Running; running != nil && running.StartedAt.After(details.At) {
		found.Started = running.StartedAt.Time
	}
	return found
}

// Remedies are how to end the restarts.
func (r Restarts) Remedies(reads *session.Session) []finding.Remedy {
	logs := reads.Kubectl.Command(r.pod, "logs", "-c", r.container, "--previous")
	return []finding.Remedy{{Step: "ReadLastLogs", Command: logs}, {
		Step: "EndRestarts", Details: r.Words.Details, Command: reads.Kubectl.Command(r.pod, "describe"),
	}}
}
