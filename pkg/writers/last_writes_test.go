package writers_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

func TestLastWrites(t *testing.T) {
	first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	entry := func(manager string, after time.Duration, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Time: &metav1.Time{Time: first.Add(after)}, Subresource: subresource,
			FieldsV1: metav1.NewFieldsV1(fields),
		}
	}
	got := writers.LastWrites([]metav1.ManagedFieldsEntry{
		entry("operator", time.Minute, "",
			`{"f:metadata":{"f:finalizers":{".":{},"v:\"b/x\"":{},"v:\"a/x\"":{}},"f:annotations":{}}}`),
		entry("operator", time.Minute, "status", `{"f:status":{"f:phase":{}}}`),
		entry("kubectl-scale", time.Hour, "scale", `{"f:spec":{"f:replicas":{}}}`),
		entry("kubectl-create", 0, "", `{"f:metadata":{"f:labels":{}},"f:spec":{}}`),
		entry("janitor", 2*time.Hour, "", `{"f:metadata":{"f:finalizers":{}}}`),
		entry("broken", 3*time.Hour, "", `[]`),
		{Manager: "timeless"},
	})
	want := []writers.LastWrite{
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
