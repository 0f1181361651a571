package writers_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestWritersOfWholeList has conditions that managedFields know only as one list: who wrote it last has written what
// changed then, and of the rest it isn't known.
func TestWritersOfWholeList(t *testing.T) {
	object := &unstructured.Unstructured{}
	const manifest = `{apiVersion: a/v1, kind: K,
		metadata: {name: x, deletionTimestamp: "2026-01-02T11:00:00Z", managedFields: [
			{manager: scanner, operation: Update, subresource: status, time: "2026-01-02T12:00:00Z", fieldsType: FieldsV1,
				fieldsV1: {"f:status": {"f:conditions": {}}}}]},
		status: {conditions: [
			{type: Compliant, status: "False", reason: Failed, lastTransitionTime: "2026-01-02T11:59:59Z"},
			{type: Ready, status: "False", reason: Error, lastTransitionTime: "2026-01-02T11:30:00Z"},
			{type: Other, status: "False", reason: Error}]}}`
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, report := range statuses.Reports(object) {
		got[report.Where] = fmt.Sprint(report.By)
	}
	want := map[string]string{
		"condition Compliant is False": "[scanner]", "condition Ready is False": "[]", "condition Other is False": "[]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWriters wants who wrote a condition, and when it was written by that.
func TestWriters(t *testing.T) {
	object := &unstructured.Unstructured{}
	const manifest = `{apiVersion: a/v1, kind: K,
		metadata: {name: x, deletionTimestamp: "2026-01-02T11:00:00Z", managedFields: [
			{manager: scanner, operation: Update, subresource: status, time: "2026-01-02T12:00:00Z", fieldsType: FieldsV1,
				fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"Compliant"}': {"f:status": {}}}}}},
			{manager: shop, operation: Update, subresource: status, time: "2026-01-02T10:00:00Z", fieldsType: FieldsV1,
				fieldsV1: {"f:status": {"f:lastError": {}, "f:conditions": {'k:{"type":"Ready"}': {"f:status": {}}}}}}]},
		status: {lastError: no route, conditions: [
			{type: Compliant, status: "False", reason: Failed},
			{type: Ready, status: "False", reason: Error}, {type: Other, status: "False", reason: Error}]}}`
	if err := yaml.Unmarshal([]byte(manifest), &object.Object); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, report := range statuses.Reports(object) {
		got[report.Where] = fmt.Sprintf("%v %t", report.By, report.Seen)
	}
	want := map[string]string{
		"condition Compliant is False": "[scanner] true", "condition Ready is False": "[shop] false",
		"condition Other is False": "[] true", "status.lastError": "[shop] false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
