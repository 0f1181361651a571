package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestCalled takes name and arguments from what the program was called with, also under the name that kubectl completes
// by.
func TestCalled(t *testing.T) {
	for line, want := range map[string]string{
		"":                                  " []",
		"/bin/kubectl-terminating why cm/x": "kubectl-terminating [why cm/x]",
		"kubectl_complete-terminating why":  "kubectl-terminating [__complete why]",
		"kf":                                "kf []",
	} {
		program, args := Called(strings.Fields(line))
		if got := string(program) + " [" + strings.Join(args, " ") + "]"; got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// TestOtherName has everything that commands say of themselves say the name by which they were called, and not a word
// of help say another one.
func TestOtherName(t *testing.T) {
	commands := []string{""}
	for _, cmd := range Command().Commands() {
		commands = append(commands, cmd.Name())
	}
	recorded := zooRecording(t, "S34")
	for _, program := range []finding.Program{"kubectl-terminating", "kubectl-why_stuck", "kf"} {
		lines := [][]string{{"ns/x"}, {"list", "x"}, {"why"}, {"preview"}, {"remove"}, {"explain", "foo/bar", "--offline"},
			{"why", "--wtach"}, {"completion", "bash"}, {"explain", "service.kubernetes.io/load-balancer-cleanup",
				"--snapshot", recorded}}
		for _, command := range commands {
			lines = append(lines, append(strings.Fields(command), "--help"))
		}
		for _, line := range lines {
			said := calledAs(t, program, line...)
			for own := range strings.Lines(said) {
				if strings.Contains(own, "kubectl finalizers") || slices.ContainsFunc([]string{"kubectl-", "complete-"},
					func(text string) bool {
						return strings.Contains(own, text+"finalizers") && !strings.Contains(own, "kubectl-finalizers/removed")
					}) {
					t.Errorf("%s %q says %s", program, line, own)
				}
			}
			if !strings.Contains(said, program.String()) && !strings.Contains(said, program.Name()) {
				t.Errorf("%s %q doesn't say its name:\n%s", program, line, said)
			}
		}
	}
}

// calledAs runs the program under a name and returns all that it says.
func calledAs(t *testing.T, program finding.Program, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out}
	ExecuteAs(t.Context(), program, streams, args)
	return out.String()
}
