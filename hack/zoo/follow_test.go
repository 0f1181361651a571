package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// follow runs the commands of a step in a shell. A removal by force asks for consent on a terminal, and there is
// none here: it is followed as its help tells such people, by taking the token from the plan, which is
// the same command without --force. A token holds for one resourceVersion, and the controllers of a real
// control plane write in between (pod garbage collection marks a pod Failed, every 20 seconds): then there is
// a new plan to consent to, with another token. With the same one nothing was written, and the refusal is final, unless
// it offers a command.
func (k *keeper) follow(t *testing.T, step finding.Remedy) error {
	t.Helper()
	for _, command := range step.Commands() {
		run := k.tryShell
		switch {
		case step.Forces():
			run = k.removeByForce
		case slices.Contains(command, "delete"):
			run = k.deleteUntilTired
		}
		output, err := run(t, command.String())
		if err != nil && !answersAnyway(command, string(output), err) {
			return fmt.Errorf("%w\n%s", err, output)
		}
	}
	return nil
}

// answersAnyway reports whether a command has answered although it failed: that an object can't be decoded, that a
// right is missing, that something else holds the object, as the plan of a removal said, or, of logs, that there are
// such pods. Their kubelets have none, unless a scenario says what a container wrote.
func answersAnyway(command finding.Command, output string, err error) bool {
	undecoded := strings.Contains(err.Error(), "(InternalError)") ||
		strings.Contains(err.Error(), "Error from server: ") // as older versions say it, without a reason
	return command.OnlyReads() && undecoded ||
		slices.Contains(command, "can-i") && strings.TrimSpace(output) == "no" ||
		command.Asks("remove") && strings.Contains(output, "is carried out.") ||
		slices.Contains(command, "logs") && strings.Contains(err.Error(), "/containerLogs/")
}

// deletePatience is how long a person looks at a `kubectl delete` that doesn't end.
const deletePatience = 20 * time.Second

// deleteUntilTired runs a deletion as a person does: it waits until the object is gone, and if it doesn't end, the
// person interrupts it and asks again. The deletion was requested either way.
func (k *keeper) deleteUntilTired(t *testing.T, command string) ([]byte, error) {
	t.Helper()
	within, cancel := context.WithTimeout(t.Context(), deletePatience)
	defer cancel()
	output, err := k.tryShellWithin(within, t, "exec "+command)
	if within.Err() != nil && t.Context().Err() == nil {
		return output, nil
	}
	return output, err
}

func (k *keeper) removeByForce(t *testing.T, command string) (output []byte, err error) {
	t.Helper()
	const plans = 20 // on a busy machine there is much time in which to be written to
	refused := ""
	for range plans {
		plan, failed := k.plan(t, command)
		if failed == nil && failsDryRun(plan) {
			err = fmt.Errorf("the API server refuses it: %+v", plan.Guards)
			time.Sleep(time.Second) // it may not know yet that what refuses the write is gone
			continue
		}
		if failed == nil && plan.Token == refused {
			if next := offered(plan); next != "" && next != command {
				command, refused = next, ""
				continue
			}
		}
		if failed != nil || plan.Token == refused {
			return output, errors.Join(err, failed)
		}
		if output, err = k.tryShell(t, command+" --confirm "+plan.Token); err == nil {
			return output, nil
		}
		refused = plan.Token
	}
	return output, fmt.Errorf("%d plans were refused, or out of date when they were carried out: %w", plans, err)
}

// offered is the command that a refused plan offers instead, with what it objects to overridden.
func offered(plan result.RemovalReport) string {
	for _, guard := range plan.Guards {
		if !guard.Passed && slices.Contains(guard.Command, "--override") {
			return guard.Command.String() + " --force"
		}
	}
	return ""
}

// failsDryRun reports whether a plan is refused because the API server refuses the write.
func failsDryRun(plan result.RemovalReport) bool {
	return slices.ContainsFunc(plan.Guards, func(guard result.Guard) bool {
		return !guard.Passed && guard.Name == "DryRun"
	})
}

// plan asks for what a removal by force would do.
func (k *keeper) plan(t *testing.T, command string) (plan result.RemovalReport, err error) {
	t.Helper()
	planned := strings.Replace(command, " --force", "", 1) + " -o json"
	output, err := k.tryShell(t, planned+" || test $? -eq 5")
	if err == nil {
		err = json.Unmarshal(output, &plan)
	}
	if err == nil && plan.Token == "" {
		err = fmt.Errorf("%s: the plan has no token: %+v", planned, plan.Guards)
	}
	return plan, err
}

// tryShell runs a command with kubectl and the plugin on the PATH, and returns its output. An error says what the
// command wrote to stderr.
func (k *keeper) tryShell(t *testing.T, command string) ([]byte, error) {
	t.Helper()
	return k.tryShellWithin(t.Context(), t, command)
}

func (k *keeper) tryShellWithin(ctx context.Context, t *testing.T, command string) ([]byte, error) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{filepath.Dir(binaries.Kubectl), k.plugin, os.Getenv("PATH")}
	path := strings.Join(folders, string(os.PathListSeparator))
	shell := exec.CommandContext(ctx, "sh", "-c", command)
	shell.Env = append(os.Environ(), "PATH="+path, "XDG_STATE_HOME="+t.TempDir(), "KUBE_EDITOR=true")
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
