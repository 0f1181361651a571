package statuses_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestTransitions(t *testing.T) {
	object := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{"conditions": []any{
		map[string]any{"type": "Ready", "status": "False", "reason": "Jammed", "message": "the gate is",
			"lastTransitionTime": "2026-01-02T03:04:06Z"},
		map[string]any{"type": "Synced", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"},
		map[string]any{"type": "Timeless", "status": "True"},
		map[string]any{"lastTransitionTime": "2026-01-02T03:04:05Z"},
		"no condition",
	}}}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	want := []statuses.Transition{
		{Type: "Synced", Status: "True", At: at},
		{Type: "Ready", Status: "False", Reason: "Jammed", Message: "the gate is", At: at.Add(time.Second)},
	}
	if diff := cmp.Diff(want, statuses.Transitions(object)); diff != "" {
		t.Errorf("the conditions (-want +got):\n%s", diff)
	}
	if got := statuses.Transitions(&unstructured.Unstructured{Object: map[string]any{}}); got != nil {
		t.Errorf("an object without a status has %v", got)
	}
}
