package statuses_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func TestSaysDeleted(t *testing.T) {
	for _, test := range []struct {
		kind, reason string
		want         bool
	}{
		{"ScaledObject", "ScaledObjectDeleted", true},
		{"Database", "DatabaseRemoved", true},
		{"Database", "DatabaseDeleteFailed", false},
		{"Database", "DatabaseNotDeleted", false},
		{"Database", "Database", false},
		{"Database", "BackupDeleted", false}, // of something that it may have needed
		{"Database", "Deleted", false},
		{"", "Deleted", false},
	} {
		if got := statuses.SaysDeleted(test.kind, test.reason); got != test.want {
			t.Errorf("%s of a %s: %t, want %t", test.reason, test.kind, got, test.want)
		}
	}
}
