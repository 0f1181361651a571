package diagnosis

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestOfferedAfterInterrupt offers no force after half a diagnosis, and all else.
func TestOfferedAfterInterrupt(t *testing.T) {
	steps := []finding.Remedy{
		{Step: "ReadLogs", Command: finding.Command{"kubectl", "logs", "pods/p"}},
		{Step: "ForgetPod", Command: finding.Command{"kubectl", "delete", "pods/p", "--force"}},
		{Step: "RemoveEntryOfController", Command: finding.Command{
			"kubectl", "finalizers", "remove", "cm/notes", "--finalizer", "x.example.com/y", "--force",
		}},
	}
	for interrupted, want := range map[bool]int{true: 1, false: 3} {
		r := &run{found: &expansion{cut: interrupted}}
		if offered := r.offered(steps); len(offered) != want || offered[0].Step != "ReadLogs" {
			t.Errorf("interrupted %t: %v, want %d", interrupted, offered, want)
		}
	}
}
