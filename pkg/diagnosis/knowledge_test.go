package diagnosis_test

import (
	"sync"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// embedded reads the plugins once for all cases: with thousands of diagnoses, parsing them and compiling their
// expressions again for each was a quarter of the time of these tests.
var embedded = sync.OnceValues(plugins.Embedded)

func knowledge(t testing.TB) *plugins.Set {
	t.Helper()
	known, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	return known
}
