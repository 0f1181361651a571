package uninstall_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestHostileScript runs a script whose names and sentences have a shell's own letters in them: names of some kinds may
// have anything but a slash. None of it is run, in no comment and in no argument.
func TestHostileScript(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	planted := filepath.Join(folder, "planted")
	for _, hostile := range []string{
		"x\ntouch " + planted + "\n", "$(touch " + planted + ")", "`touch " + planted + "`", "'; touch " + planted + "; '",
		"\"; touch " + planted + "; \"", "x\rtouch " + planted, "x; touch " + planted, "&& touch " + planted,
	} {
		object := finding.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole", Name: hostile, UID: hostile}
		plan := &result.UninstallPlan{
			State: result.UninstallUnclear, Summary: "It is not clear: " + hostile,
			Target:  result.UninstallTarget{Type: "Release", Name: hostile},
			Kubectl: finding.Command{"kubectl", "--context", hostile}, Ask: finding.Command{"kubectl", "finalizers", "version"},
			Controllers: []result.UninstallController{{Object: object, Running: true, Message: hostile}},
			RootCauses:  []result.RootCause{{Message: hostile, Object: object}},
			Steps: []result.UninstallStep{
				{
					Phase: result.PhaseRest, Action: "Delete " + hostile, Objects: []finding.Ref{object},
					Paths: []string{"clusterroles/" + hostile}, Loses: hostile,
					Goes:     []result.Going{{Kind: "Pod", Count: 1, Objects: []finding.Ref{object}}},
					Commands: []finding.Command{{"kubectl", "--context", hostile, "delete", "clusterroles/" + hostile}},
				},
				{
					Phase: result.PhaseRelease, Action: hostile, Objects: []finding.Ref{object}, Finalizer: hostile,
					Paths:    []string{"clusterroles/" + hostile},
					Commands: []finding.Command{{"kubectl", "patch", "clusterroles/" + hostile}},
				},
			},
		}
		path := filepath.Join(folder, "script.sh")
		if err := os.WriteFile(path, []byte(printed(t, plan, "script")), 0o600); err != nil {
			t.Fatal(err)
		}
		const program = "#!/bin/sh\nprintf '%s' \"$HOSTILE\"\n" // lets the script continue, whatever it reads
		stub := filepath.Join(folder, "kubectl")
		if err := os.WriteFile(stub, []byte(program), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
		shell := exec.CommandContext(t.Context(), "sh", path)
		shell.Env = []string{"PATH=" + folder + ":/usr/bin:/bin", "HOSTILE=" + hostile}
		shell.Stdin = strings.NewReader("yes\nyes\nyes\n")
		said, err := shell.CombinedOutput()
		if _, failed := os.Stat(planted); failed == nil {
			t.Fatalf("%q was run:\n%s", hostile, said)
		}
		if strings.Contains(string(said), "yntax error") || !strings.Contains(string(said), "Step 1") {
			t.Errorf("%q: %v\n%s", hostile, err, said)
		}
	}
}
