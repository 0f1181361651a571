package health

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// A container that runs keeps being restarted if it was restarted often, did not run for long before it ended the last
// time, and has run for less than twice as long since. After ten minutes without a failure, the kubelet counts anew,
// too (k8s v1.37 client-go/util/flowcontrol/backoff.go:hasExpired: twice the longest back-off).
const (
	oftenRestarted = 5
	shortestCalm   = 10 * time.Minute
	longestRun     = time.Hour
)

// Crashed reports whether a container has ended with an error, or waits to be started after that.
func Crashed(status corev1.ContainerStatus) bool {
	if ended := status.State.Terminated; ended != nil {
		return ended.ExitCode != 0
	}
	waiting := status.State.Waiting
	return waiting != nil && (waiting.Reason == "CrashLoopBackOff" || status.RestartCount > 0 && !prepares(waiting.Reason))
}

// Restless returns a container of a ready pod that keeps being restarted after errors, of the ones that count.
func Restless(
	pod *corev1.Pod, now time.Time, counts func(container string) bool,
) (is corev1.ContainerStatus, found bool) {
	for _, status := range pod.Status.ContainerStatuses {
		last := status.LastTerminationState.Terminated
		if !counts(status.Name) || status.RestartCount < oftenRestarted || last == nil || last.ExitCode == 0 {
			continue
		}
		ran := time.Duration(0)
		if !last.StartedAt.IsZero() {
			ran = last.FinishedAt.Sub(last.StartedAt.Time)
		}
		if ran <= longestRun && now.Sub(last.FinishedAt.Time) < max(2*ran, shortestCalm) {
			return status, true
		}
	}
	return is, false
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
