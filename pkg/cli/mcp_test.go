package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestAssistantOfAnotherName offers the commands of the program as it was called.
func TestAssistantOfAnotherName(t *testing.T) {
	t.Parallel()
	a := newAssistantOf(t, "kubectl-terminating", "--snapshot", zooRecording(t, "N01"))
	said := a.session.InitializeResult().Instructions +
		a.ask(t, "why", `{"targets": ["pods/held"], "namespace": "n01"}`).text
	if strings.Count(said, "kubectl terminating remove") < 2 || strings.Contains(said, "kubectl finalizers") {
		t.Errorf("it says:\n%s", said)
	}
}

// TestAssistantWithoutACluster has the server start all the same, and say what to do when it is asked.
func TestAssistantWithoutACluster(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, one := range []struct {
		args []string
		says string
	}{
		{[]string{"--kubeconfig", nowhere}, "the file " + nowhere + " does not exist"},
		{[]string{"--snapshot", nowhere}, "no such file"},
		{[]string{"--server", "https://127.0.0.1:1"}, "can't be reached"},
	} {
		a := newAssistant(t, one.args...)
		for tool, arguments := range map[string]string{
			"list": `{}`, "check": `{}`, "tree": `{}`, "why": `{"targets": ["ns/a"]}`, "preview": `{"targets": ["ns/a"]}`,
		} {
			if got := a.ask(t, tool, arguments); !got.isError || !strings.Contains(got.text, one.says) {
				t.Errorf("%v: %s: got %v\n%s", one.args, tool, got.isError, got.text)
			}
		}
	}
	a := newAssistant(t, "--kubeconfig", nowhere)
	if got := a.ask(t, "explain", `{"finalizer": "foregroundDeletion"}`); got.isError {
		t.Errorf("what needs no cluster was not answered: %s", got.text)
	}
}

func TestMCPArguments(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--snapshot", "-"}, {"--timeout", "0s"}, {"why"}} {
		var out, errOut bytes.Buffer
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		if code := Execute(t.Context(), streams, append([]string{"mcp"}, args...)); code != 1 || out.Len() > 0 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out.String(), errOut.String())
		}
	}
}
