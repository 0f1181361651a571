package controller_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
)

func TestLastWrites(t *testing.T) {
	first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	entry := func(manager string, after time.Duration, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Time: &metav1.Time{Time: first.Add(after)}, Subresource: subresource,
			FieldsV1: metav1.NewFieldsV1(fields),
		}
	}
	got := controller.LastWrites([]metav1.ManagedFieldsEntry{
		entry("operator", time.Minute, "",
			`{"f:metadata":{"f:finalizers":{".":{},"v:\"b/x\"":{},"v:\"a/x\"":{}},"f:annotations":{}}}`),
		entry("operator", time.Minute, "status", `{"f:status":{"f:phase":{}}}`),
		entry("kubectl-scale", time.Hour, "scale", `{"f:spec":{"f:replicas":{}}}`),
		entry("kubectl-create", 0, "", `{"f:metadata":{"f:labels":{}},"f:spec":{}}`),
		entry("janitor", 2*time.Hour, "", `{"f:metadata":{"f:finalizers":{}}}`),
		entry("broken", 3*time.Hour, "", `[]`),
		{Manager: "timeless"},
	})
	want := []controller.LastWrite{
		{Manager: "kubectl-create", At: first, Parts: []string{"labels", "spec"}},
		{Manager: "operator", At: first.Add(time.Minute), Parts: []string{"finalizers", "status"},
			Finalizers: []string{"a/x", "b/x"}},
		{Manager: "kubectl-scale", At: first.Add(time.Hour), Parts: []string{"scale"}},
		{Manager: "janitor", At: first.Add(2 * time.Hour), Parts: []string{"finalizers"}, Released: true},
		{Manager: "broken", At: first.Add(3 * time.Hour)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the last writes (-want +got):\n%s", diff)
	}
}

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
	want := []controller.Transition{
		{Type: "Synced", Status: "True", At: at},
		{Type: "Ready", Status: "False", Reason: "Jammed", Message: "the gate is", At: at.Add(time.Second)},
	}
	if diff := cmp.Diff(want, controller.Transitions(object)); diff != "" {
		t.Errorf("the conditions (-want +got):\n%s", diff)
	}
	if got := controller.Transitions(&unstructured.Unstructured{Object: map[string]any{}}); got != nil {
		t.Errorf("an object without a status has %v", got)
	}
}
