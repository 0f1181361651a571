package attribution

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestRestless(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	all := func(string) bool { return true }
	for _, c := range []struct {
		name      string
		restarts  int32
		code      int32
		ran, runs time.Duration
		counts    func(string) bool
		is        bool
	}{
		{"between two kills", 200, 137, 5 * time.Minute, time.Minute, all, true},
		{"killed each half hour", 90, 137, 30 * time.Minute, 40 * time.Minute, all, true},
		{"has outlived its last run", 200, 137, 5 * time.Minute, 11 * time.Minute, all, false},
		{"restarted a few times at the start", 4, 1, time.Second, time.Minute, all, false},
		{"ended after a long time", 60, 1, 20 * 24 * time.Hour, time.Minute, all, false},
		{"ended without an error", 60, 0, time.Minute, time.Minute, all, false},
		{"another container", 200, 137, time.Minute, time.Minute, func(string) bool { return false }, false},
	} {
		ended := now.Add(-c.runs)
		pod := &corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
			Name: "manager", RestartCount: c.restarts,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(ended)}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: c.code, StartedAt: metav1.NewTime(ended.Add(-c.ran)), FinishedAt: metav1.NewTime(ended),
			}},
		}}}}
		if _, is := restless(pod, now, c.counts); is != c.is {
			t.Errorf("%s: restless is %t", c.name, is)
		}
	}
}
