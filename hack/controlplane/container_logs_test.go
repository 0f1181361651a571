package controlplane_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestLogs reads what two containers have written through the API server, from the kubelet that kwok plays.
func TestLogs(t *testing.T) {
	plane := controlplane.ForTest(t)
	if err := plane.AliveNode(t.Context(), "alive"); err != nil {
		t.Fatal(err)
	}
	client := adminClient(t, plane)
	eventually(t, "the namespace has its ServiceAccount", func() bool {
		_, err := client.CoreV1().ServiceAccounts("default").Get(t.Context(), "default", metav1.GetOptions{})
		return err == nil
	})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "writer"}, Spec: corev1.PodSpec{
		NodeName: "alive", Containers: []corev1.Container{{Name: "one", Image: "none"}, {Name: "two", Image: "none"}},
	}}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	const early, late = "2026-01-02T03:04:05Z begins\n", "2026-01-02T03:04:06Z goes on\n"
	first := controlplane.ContainerLog{Namespace: "default", Pod: "writer", Container: "one", Text: early + late}
	second := first
	second.Container, second.Text, second.Previous = "two", late, early
	for _, log := range []controlplane.ContainerLog{first, second} {
		if err := plane.SetLog(t.Context(), log); err != nil {
			t.Fatal(err)
		}
	}
	read := func(options corev1.PodLogOptions) string {
		text, err := client.CoreV1().Pods("default").GetLogs("writer", &options).DoRaw(t.Context())
		if err != nil {
			t.Error(err)
		}
		return strings.TrimSpace(string(text))
	}
	since := metav1.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	for _, test := range []struct {
		options corev1.PodLogOptions
		want    string
	}{
		{corev1.PodLogOptions{Container: "one"}, "begins\ngoes on"},
		{corev1.PodLogOptions{Container: "one", TailLines: new(int64(1))}, "goes on"},
		{corev1.PodLogOptions{Container: "one", SinceTime: &since, Timestamps: true},
			"2026-01-02T03:04:06.000000000Z goes on"},
		{corev1.PodLogOptions{Container: "two"}, "goes on"},
		{corev1.PodLogOptions{Container: "two", Previous: true}, "begins"},
	} {
		if got := read(test.options); got != test.want {
			t.Errorf("the log of %+v is %q, want %q", test.options, got, test.want)
		}
	}
}
