package cli

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"
	"weak"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// TestNothingIsKept has the program leave nothing in memory that outlives a run: a server or a test runs it thousands
// of times.
func TestNothingIsKept(t *testing.T) {
	for _, line := range []string{"why ns/x --snapshot " + zooRecording(t, "S34"), "options"} {
		kept := runAndForget(t.Context(), line)
		runtime.GC()
		if kept.Value() != nil {
			t.Errorf("%s: what was printed is still in memory", line)
		}
	}
}

// runAndForget returns what would be left of the output of a run.
func runAndForget(ctx context.Context, line string) weak.Pointer[bytes.Buffer] {
	out := &bytes.Buffer{}
	Execute(ctx, genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: out}, strings.Fields(line))
	return weak.Make(out)
}
