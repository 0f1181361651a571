package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestRestart stops the API server and starts it again under the commands that look more than once: what they say of
// what was there all the time is no lie, and they notice what comes after.
func TestRestart(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	s := newStarting(t, plane, "restart") // its server is the real one
	full := newStarting(t, plane, "restarted")
	full.deleteNamespace(t)
	listed, asked := s.inPipe(t, "list", "-w"), full.inPipe(t, "why", "ns/"+full.namespace, "-w")
	target := s.inPipe(t, "why", "databases."+s.group+"/a", "-w")
	listed.untilLine(t, "6 objects are Terminating")
	asked.untilLine(t, "has been Terminating")
	target.untilLine(t, "has been Terminating")
	_, served := exporting(t, "--kubeconfig", s.kubeconfig, "-n", s.namespace)
	six := []string{`finalizers_verdicts{verdict="Stuck"} 3`, `finalizers_verdicts{verdict="Undetermined"} 3`}
	served.has(t, "six objects", six...)

	if err := plane.RestartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	// What is released now has all of them look at a server that may not serve Databases yet.
	s.release(t, "one")
	full.release(t, "one")
	asked.untilLine(t, full.namespace+"/one is gone")
	listed.untilLine(t, s.namespace+"/one is gone")
	served.has(t, "five objects", six[0], `finalizers_verdicts{verdict="Undetermined"} 2`)
	s.free(t, "a")
	target.untilLine(t, "/a is gone")
	target.closed(t, 0)
	listed.untilLine(t, fmt.Sprintf("Database %s/a is gone", s.namespace))
	served.has(t, "four objects", `finalizers_verdicts{verdict="Stuck"} 2`)
	saysNoLies(t, asked.text())
	saysNoLies(t, strings.ReplaceAll(listed.text(), fmt.Sprintf("Database %s/a is gone", s.namespace), ""))
	full.release(t, "two", "three")
	full.free(t, "a", "b", "c")
	asked.closed(t, 0)
}
