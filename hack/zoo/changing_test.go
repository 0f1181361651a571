package zoo_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// whileItChanges holds what others answer to a first answer of a cluster that lives meanwhile. Where they differ, the
// first is asked for again: if it has changed, they are compared again; if it is as it was, they disagree.
func whileItChanges[T any](t *testing.T, ask func() T, differ func(T) (difference string)) {
	t.Helper()
	deadline := time.Now().Add(patience) // for a cluster that never stands still
	for first := ask(); ; {
		difference := differ(first)
		if difference == "" {
			return
		}
		again := ask()
		if cmp.Equal(first, again) || time.Now().After(deadline) {
			t.Error(difference)
			return
		}
		first = again
	}
}

// timelessly is a diagnosis as JSON without its times.
func timelessly(t *testing.T, diagnosis *result.Diagnosis) string {
	t.Helper()
	data, err := json.Marshal(diagnosis)
	if err != nil {
		t.Fatal(err)
	}
	return judge.Timeless(string(data))
}
