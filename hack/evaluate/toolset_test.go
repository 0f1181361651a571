package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestToolset runs the commands of the toolset for HolmesGPT, on a recording. HolmesGPT puts the parameters into the
// commands as words that a shell doesn't interpret (holmesgpt holmes/core/tools.py:sanitize_params).
func TestToolset(t *testing.T) {
	data, err := os.ReadFile("../../docs/assistants/holmesgpt.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Toolsets map[string]struct {
			Prerequisites []struct{ Command string }
			Tools         []struct{ Name, Description, Command string }
		}
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	toolset := file.Toolsets["kubectl/finalizers"]
	parameters := strings.NewReplacer("{{ target }}", "ns/payments", "{{ namespace }}", "payments",
		"{{ finalizer }}", "kubernetes.io/pvc-protection")
	for _, prerequisite := range toolset.Prerequisites {
		answerOf(t, prerequisite.Command)
	}
	for _, tool := range toolset.Tools {
		command := parameters.Replace(tool.Command)
		if !strings.Contains(command, " explain ") {
			command += " --snapshot ../demo/demo.snapshot"
		}
		if answer := answerOf(t, command); answer == "" || tool.Description == "" {
			t.Errorf("%s: %q", tool.Name, answer)
		}
	}
	if len(toolset.Tools) != 5 {
		t.Errorf("%d tools", len(toolset.Tools))
	}
}

// answerOf runs a command of this program.
func answerOf(t *testing.T, command string) string {
	t.Helper()
	rest, is := strings.CutPrefix(command, "kubectl finalizers ")
	if !is || strings.Contains(rest, "{{") {
		t.Fatalf("not a command of this program: %s", command)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.CommandContext(t.Context(), own, strings.Fields(rest)...)
	program.Env = append(os.Environ(), "ASKED_PROGRAM=1")
	output, err := program.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, output)
	}
	return strings.TrimSpace(string(output))
}
