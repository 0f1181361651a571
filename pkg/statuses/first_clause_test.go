package statuses_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestFirstClause(t *testing.T) {
	for words, want := range map[string]string{
		"failed to delete Bolt x: timeout":           "failed to delete Bolt x",
		"DeleteFailed: failed to delete Bolt x: 500": "DeleteFailed failed to delete Bolt x",
		"cannot delete it: Bolt x is still attached": "cannot delete it",
		"cannot delete it because Bolt x needs it":   "cannot delete it",
		"Bolt x blocks the deletion":                 "",
		"bolt x: failed to drop the schema":          "bolt x",
		"waiting for Bolt x":                         "",
	} {
		if got := statuses.FirstClause(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}
