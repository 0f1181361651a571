package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// run is the program with arguments, without a cluster.
func run(t *testing.T, args ...string) (out, errOut string) {
	t.Helper()
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	var stdout, stderr bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &stdout, ErrOut: &stderr}
	if code := Execute(t.Context(), streams, args); code != exitAnswered {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// TestEveryCommandIsCompleted keeps shells from offering file names where a command takes none.
func TestEveryCommandIsCompleted(t *testing.T) {
	root, completer := newRoot(options{out: output{IOStreams: genericiooptions.NewTestIOStreamsDiscard()}})
	completer.complete(root)
	for _, cmd := range root.Commands() {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			t.Errorf("%s has nothing that completes its arguments", cmd.Name())
		}
		output := cmd.Flags().Lookup("output")
		if output == nil || output.Annotations[cobra.BashCompFilenameExt] != nil {
			continue // a file may well be completed
		}
		values := output.Annotations[flagValues]
		if len(values) == 0 {
			t.Errorf("%s --output doesn't say which values it takes", cmd.Name())
		}
		if out, _ := run(t, "__complete", cmd.Name(), "-o", ""); !slices.Equal(strings.Fields(out), append(values, ":4")) {
			t.Errorf("%s --output is completed by %q", cmd.Name(), out)
		}
	}
}

func TestCompletionWithoutCluster(t *testing.T) {
	for _, args := range [][]string{
		{"why", ""}, {"why", "ns/"}, {"why", "ns", ""}, {"why", "ns/x", "n"}, {"why", "-n", ""}, {"why", "--context", ""},
		{"why", "--as", ""},
	} {
		out, _ := run(t, append([]string{"__complete"}, args...)...)
		if out != ":4\n" {
			t.Errorf("%q: got %q, want nothing, and no file names", args, out)
		}
	}
}

func TestVersion(t *testing.T) {
	linkedVersion, linkedCommit = "v1.2.3", "0123456789abcdef"
	defer func() { linkedVersion, linkedCommit = "", "" }()
	if out, _ := run(t, "version"); !strings.HasPrefix(out, "kubectl-finalizers v1.2.3 (commit 0123456789ab, go1") {
		t.Errorf("got %q", out)
	}
	out, _ := run(t, "version", "-o", "json")
	var said result.Version
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatal(err)
	}
	if said.Kind != "Version" || said.Version != "v1.2.3" || said.Commit != "0123456789abcdef" || said.Platform == "" {
		t.Errorf("got %+v", said)
	}
	if out, _ := run(t, "--version"); out != "kubectl finalizers version v1.2.3\n" {
		t.Errorf("--version: got %q", out)
	}
}

func TestVersionWithoutLinker(t *testing.T) {
	if b := thisBuild(); b.Version == "" {
		t.Error("no version at all")
	}
}
