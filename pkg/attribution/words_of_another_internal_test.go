package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestBesideDeletion tells conditions that have nothing to do with a deletion from others, where the catalogue has the
// condition for deletions.
func TestBesideDeletion(t *testing.T) {
	t.Parallel()
	ofDeletion := &plugins.Finalizer{StatusFields: []plugins.Field{
		{Path: `{.status.conditions[?(@.type=="DeletionError")].message}`, Says: "error"},
	}}
	ofAll := &plugins.Finalizer{StatusFields: []plugins.Field{
		{Path: `{.status.conditions[?(@.type=="Ready")].message}`, Says: "result of the last attempt"},
	}}
	compared := statuses.Report{Of: "ComparisonError", Words: "failed to load the target state: connection refused"}
	for name, c := range map[string]struct {
		known  *plugins.Finalizer
		report statuses.Report
		want   bool
	}{
		"another condition": {ofDeletion, compared, true},
		"the condition itself": {
			ofDeletion, statuses.Report{Of: "DeletionError", Words: "no route"}, false,
		},
		"another one that speaks of a deletion": {
			ofDeletion, statuses.Report{Of: "Synced", Words: "cannot delete it"}, false,
		},
		"another one that is named for a deletion": {
			ofDeletion, statuses.Report{Of: "PruneFailed", Words: "no route"}, false,
		},
		"a field that is no condition":              {ofDeletion, statuses.Report{Words: "connection refused"}, false},
		"a project without a condition of its kind": {ofAll, compared, false},
		"nothing is known":                          {nil, compared, false},
	} {
		if got := besideDeletion(c.known, c.report); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
