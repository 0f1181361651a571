package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// heal follows the remedies that the scenario names, to the letter, and waits until the target is
// gone: advice that doesn't help is worse than none.
func (k *keeper) heal(t *testing.T, question zoo.Question, diagnosis *result.Diagnosis) {
	t.Helper()
	if len(question.Want.Heals) == 0 {
		return
	}
	for _, step := range question.Want.Heals {
		if step[0] > len(diagnosis.RootCauses) || step[1] > len(diagnosis.RootCauses[step[0]-1].Remedies) {
			t.Fatalf("there is no remedy %v", step)
		}
		k.follow(t, diagnosis.RootCauses[step[0]-1].Remedies[step[1]-1])
	}
	gone := zoo.Until{Object: zoo.Object{Object: question.Target, Namespace: question.Namespace}, Gone: true}
	if err := k.breaker.Await(t.Context(), gone); err != nil {
		t.Errorf("the remedies were followed, and the target is still there: %v", err)
	}
}

// follow runs a remedy's command in a shell. A removal by force asks for consent on a terminal, and there is
// none here: it is followed as its help tells such people, by taking the token from the plan, which is
// the same command without --force. A token holds for one resourceVersion, and the controllers of a real
// control plane write in between (pod garbage collection marks a pod Failed, every 20 seconds): then there is
// a new plan to consent to, with another token. With the same one nothing was written, and the refusal is final.
func (k *keeper) follow(t *testing.T, remedy finding.Remedy) {
	t.Helper()
	command := remedy.Command.String()
	if !remedy.Forces() {
		k.shell(t, command)
		return
	}
	const plans = 20 // on a busy machine there is much time in which to be written to
	token := k.plan(t, command).Token
	for range plans {
		output, err := k.tryShell(t, command+" --confirm "+token)
		if err == nil {
			return
		}
		t.Logf("%v\n%s", err, output)
		refused := token
		if token = k.plan(t, command).Token; token == refused {
			t.Fatal("the removal was refused, and its plan is the same as before")
		}
	}
	t.Fatalf("%d plans were out of date when they were carried out", plans)
}

// plan asks for what a removal by force would do.
func (k *keeper) plan(t *testing.T, command string) (plan result.RemovalReport) {
	t.Helper()
	planned := strings.Replace(command, " --force", "", 1) + " -o json"
	if err := json.Unmarshal(k.shell(t, planned+" || test $? -eq 5"), &plan); err != nil {
		t.Fatalf("%s: %v", planned, err)
	}
	if plan.Token == "" {
		t.Fatalf("%s: the plan has no token: %+v", planned, plan.Guards)
	}
	return plan
}

// shell runs a command that has to succeed.
func (k *keeper) shell(t *testing.T, command string) []byte {
	t.Helper()
	output, err := k.tryShell(t, command)
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return output
}

// tryShell runs a command with kubectl and the plugin on the PATH, and returns its output. An error says what the
// command wrote to stderr.
func (k *keeper) tryShell(t *testing.T, command string) ([]byte, error) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{filepath.Dir(binaries.Kubectl), k.plugin, os.Getenv("PATH")}
	path := strings.Join(folders, string(os.PathListSeparator))
	shell := exec.CommandContext(t.Context(), "sh", "-c", command)
	shell.Env = append(os.Environ(), "PATH="+path, "XDG_STATE_HOME="+t.TempDir())
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	output, err := shell.Output()
	if err != nil {
		return output, fmt.Errorf("%s: %w\n%s", command, err, &stderr)
	}
	return output, nil
}

// pluginName is what kubectl runs for `kubectl finalizers`.
const pluginName = "kubectl-finalizers"

// linkPlugin puts this test binary into a folder under the plugin's name, by which runPluginIfAsked knows what it
// is to be.
func linkPlugin(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, pluginName)); err != nil {
		t.Fatal(err)
	}
	return folder
}

// runPluginIfAsked runs the program, and never returns, in a process that was started under its name.
func runPluginIfAsked() {
	if filepath.Base(os.Args[0]) == pluginName {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		os.Exit(cli.Execute(context.Background(), streams, os.Args[1:]))
	}
}
