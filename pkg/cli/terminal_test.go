package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// terminal is a stream that says that it is a terminal.
type terminal struct{ bytes.Buffer }

// IsTerminal answers isTerminal.
func (*terminal) IsTerminal() bool { return true }

// TestScansAnswerAlikeOnATerminal fails when the line of progress, which is for terminals alone, changes an answer.
func TestScansAnswerAlikeOnATerminal(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	manifests := filepath.Join(t.TempDir(), "pod.yaml")
	manifest := "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, uid: x}\n"
	if err := os.WriteFile(manifests, []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, source := range []struct{ name, file, namespace string }{
		{name: "manifests", file: manifests, namespace: "other"},
		{name: "a recording", file: zooRecording(t, "S29"), namespace: "s29"},
	} {
		for _, command := range []string{"list", "check", "tree"} {
			t.Run(command+" from "+source.name, func(t *testing.T) {
				run := func(stream interface {
					Write(data []byte) (int, error)
					String() string
				},
				) (code int, out, errOut string) {
					var stdout bytes.Buffer
					streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &stdout, ErrOut: stream}
					code = Execute(context.Background(), streams, []string{command, "-n", source.namespace, "--snapshot", source.file})
					return code, stdout.String(), stream.String()
				}
				piped, pipedOut, pipedErr := run(&bytes.Buffer{})
				code, out, errOut := run(&terminal{})
				if piped != 0 || code != piped || out != pipedOut {
					t.Errorf("exit code %d on a terminal, with\n%s%s\n%d in a pipe, with\n%s%s", code, out, errOut, piped, pipedOut,
						pipedErr)
				}
			})
		}
	}
}
