package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// action is what a runner reads of a composite action.
type action struct {
	Inputs map[string]struct {
		Default  string
		Required bool
	}
	Runs struct {
		Using string
		Steps []struct {
			Shell, Run string
			Env        map[string]string
		}
	}
}

// teardown is what came of the action's only step.
type teardown struct {
	code            int
	output, summary string
}

// runTeardown runs the action as GitHub's runner would: bash with -e and pipefail, and inputs put into the environment.
// environment is added to that of the runner.
func runTeardown(
	t *testing.T, plane *controlplane.ControlPlane, kubeconfig string, inputs map[string]string, environment ...string,
) teardown {
	t.Helper()
	folder, err := filepath.Abs("../../ci/teardown-action")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(filepath.Join(folder, "teardown.sh")); err != nil { // so that go test knows of it
		t.Fatal(err)
	}
	var read action
	if err := yaml.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Runs.Using != "composite" || len(read.Runs.Steps) != 1 || read.Runs.Steps[0].Shell != "bash" {
		t.Fatalf("this is not what the test runs: %+v", read.Runs)
	}
	step := read.Runs.Steps[0]
	for name := range inputs {
		if _, known := read.Inputs[name]; !known {
			t.Fatalf("the action has no input %s", name)
		}
	}
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	summary := filepath.Join(t.TempDir(), "summary")
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "GITHUB_ACTION_PATH="+folder, "GITHUB_STEP_SUMMARY="+summary,
		"GITHUB_ACTIONS=true", "PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(binaries.Kubectl))
	cmd.Env = append(cmd.Env, environment...)
	for name, value := range step.Env {
		cmd.Env = append(cmd.Env, name+"="+regexp.MustCompile(`\$\{\{ inputs\.(\w+) \}\}`).ReplaceAllStringFunc(value,
			func(expression string) string {
				input := strings.TrimSuffix(strings.TrimPrefix(expression, "${{ inputs."), " }}")
				if given, is := inputs[input]; is {
					return given
				}
				return read.Inputs[input].Default
			}))
	}
	output, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	said, err := os.ReadFile(summary)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return teardown{code: cmd.ProcessState.ExitCode(), output: string(output), summary: string(said)}
}

// TestTeardownAction runs the action on a control plane, for what goes and for what hangs.
func TestTeardownAction(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", "pipeline", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{plane: plane, namespace: "ci", kubeconfig: kubeconfig}
	s.prepare(t)
	mustBreak(t, plane, `- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: kept, namespace: ci, finalizers: [example.com/hold]}
`)
	injected := filepath.Join(t.TempDir(), "injected")
	for name, one := range map[string]struct {
		inputs  map[string]string
		code    int
		says    []string
		summary []string
	}{
		"hangs": {map[string]string{"targets": "configmap/one\nconfigmap/two", "namespace": "ci", "timeout": "3s"}, 4,
			[]string{"::stop-commands::resume-", "::error title=Teardown::"},
			[]string{"## Teardown: not gone after 3s, and it is not clear why", "### Unknown cause", "example.com/hold"}},
		"a type alone": {map[string]string{"targets": "configmaps", "namespace": "ci", "timeout": "3s"}, 4,
			nil, []string{"3 objects are Terminating"}},
		"was never there": {map[string]string{"targets": "namespace/none"}, 0, []string{"not found"},
			[]string{"Teardown: gone (1 of 1)"}},
		"nobody has deleted it": {map[string]string{"targets": "configmap/kept", "namespace": "ci", "timeout": "2s"}, 1,
			nil, []string{"## Teardown: failed", "example.com/hold"}},
		"no targets": {map[string]string{"targets": " "}, 1, []string{"name the deleted objects"}, nil},
		"a flag":     {map[string]string{"targets": "--all-namespaces", "timeout": "2s"}, 1, []string{"resource type"}, nil},
		"a command": {map[string]string{"targets": "$(touch " + injected + ")", "timeout": "2s"}, 1, []string{"error:"},
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := runTeardown(t, plane, kubeconfig, one.inputs)
			if got.code != one.code {
				t.Errorf("exit code %d, want %d", got.code, one.code)
			}
			for _, want := range one.says {
				if !strings.Contains(got.output, want) {
					t.Errorf("it doesn't print %q", want)
				}
			}
			for _, want := range one.summary {
				if !strings.Contains(got.summary, want) {
					t.Errorf("the summary doesn't say %q", want)
				}
			}
			if t.Failed() {
				t.Logf("%s\nsummary:\n%s", got.output, got.summary)
			}
		})
	}
	if _, err := os.Stat(injected); err == nil {
		t.Error("a target was run as a command")
	}
	goes := make(chan teardown, 1)
	go func() {
		goes <- runTeardown(t, plane, kubeconfig, map[string]string{"targets": "configmap/one configmap/two",
			"namespace": "ci"})
	}()
	s.release(t, "one", "two")
	if got := <-goes; got.code != 0 || !strings.Contains(got.summary, "gone (2 of 2)") {
		t.Errorf("what goes: exit code %d\n%s\n%s", got.code, got.output, got.summary)
	}
	onlyReads(t, plane, "pipeline", kubeconfig)
}
