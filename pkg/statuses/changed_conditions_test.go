package statuses_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// TestChanges wants a condition to have settled only where its writer wrote later, and left its time of change alone:
// one that stamps it with each write has changed nothing.
func TestChanges(t *testing.T) {
	deleted := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		stamped, written time.Duration // since the deletion; written is negative where managedFields don't tell
		want             []string
	}{
		"before the deletion":             {-time.Second, time.Minute, nil},
		"in the second of the deletion":   {0, time.Minute, []string{"Ready settled"}},
		"written once":                    {time.Minute, time.Minute, []string{"Ready"}},
		"stamped before a slow write":     {time.Minute, time.Minute + 3*time.Second, []string{"Ready"}},
		"written again, and left as is":   {time.Minute, 2 * time.Minute, []string{"Ready settled"}},
		"nobody knows when it is written": {time.Minute, -1, []string{"Ready"}},
	} {
		object := &unstructured.Unstructured{}
		at := func(since time.Duration) string { return deleted.Add(since).Format(time.RFC3339) }
		fields := ""
		if c.written >= 0 {
			fields = fmt.Sprintf(`, managedFields: [{manager: m, operation: Update, subresource: status, time: %q, `+
				`fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"Ready"}': {"f:type": {}}}}}}]`,
				at(c.written))
		}
		text := fmt.Sprintf(`{apiVersion: a/v1, kind: K, metadata: {name: x, deletionTimestamp: %q%s}, status: {conditions: `+
			`[{type: Ready, status: "False", reason: Draining, lastTransitionTime: %q}]}}`, at(0), fields, at(c.stamped))
		if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, change := range statuses.Changes(object) {
			line := change.Of
			if change.Settled {
				line += " settled"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
