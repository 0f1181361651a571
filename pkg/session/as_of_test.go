package session_test

import (
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestOneMoment counts ages from one moment, while the cluster's clock runs on.
func TestOneMoment(t *testing.T) {
	begun := time.Date(2026, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	memory, err := clustertest.New(begun, "")
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(memory, session.Kubectl{})
	finished := begun.Truncate(time.Second).Add(-6 * time.Second)
	early := s.Ago(finished)
	memory.Time = begun.Add(2 * time.Second)
	if late := s.Ago(finished); early != "6s" || late != early || s.Now() != memory.Time {
		t.Errorf("it finished %s ago, and %s ago by %s", early, late, s.AsOf())
	}
}
