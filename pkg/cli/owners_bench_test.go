package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/owners"
)

// ownersLines are commands about owners.
func ownersLines() []string {
	return []string{
		"why cm/m0 -n shop", "tree cm/m0 -n shop", "list -A", "check -A", "preview cm/m0 -n shop",
		"preview cm/m0 -n shop --cascade=foreground",
	}
}

// askOwners asks one of these about a manifest with owners.
func askOwners(ctx context.Context, line, manifest string) (out bytes.Buffer, code int) {
	streams := genericiooptions.IOStreams{In: strings.NewReader(manifest), Out: &out, ErrOut: io.Discard}
	code = Execute(ctx, streams, append(strings.Fields(line), "--snapshot", "-"))
	return out, code
}

// BenchmarkOwners asks about many owners in a circle, and in a chain.
func BenchmarkOwners(b *testing.B) {
	for _, count := range []int{1_000, 10_000} {
		for name, circle := range map[string]bool{"circle": true, "chain": false} {
			for _, line := range ownersLines() {
				manifest := owners.Manifest(count, circle, !strings.HasPrefix(line, "preview"))
				b.Run(fmt.Sprintf("%s/%d/%s", name, count, strings.ReplaceAll(line, " ", "_")), func(b *testing.B) {
					for b.Loop() {
						askOwners(b.Context(), line, manifest)
					}
				})
			}
		}
	}
}

// TestOwnersGrow asks about owners, and about twice as many. All of an answer is made in memory: what takes the square
// of their number takes four times as much.
func TestOwnersGrow(t *testing.T) {
	count := 1_000
	if testing.Short() {
		count = 300
	}
	for name, circle := range map[string]bool{"circle": true, "chain": false} {
		for _, line := range ownersLines() {
			ask := func(count int) uint64 {
				manifest := owners.Manifest(count, circle, !strings.HasPrefix(line, "preview"))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				if out, code := askOwners(t.Context(), line, manifest); out.Len() == 0 || code > 2 {
					t.Fatalf("%s of %d in a %s: exit code %d, %q", line, count, name, code, out.String())
				}
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			ask(10) // what is made once
			if once, twice := ask(count), ask(2*count); twice > once*27/10 {
				t.Errorf("%s of %d in a %s takes %d bytes, and of twice as many %d", line, count, name, once, twice)
			}
		}
	}
}

// TestInterruptedOwners interrupts a command as soon as the first of an answer is written.
func TestInterruptedOwners(t *testing.T) {
	manifest := owners.Manifest(100, false, true)
	for _, line := range []string{"tree cm/m0 -n shop", "list -A -o wide", "why cm/m0 -n shop"} {
		ctx, cancel := context.WithCancel(t.Context())
		var errOut bytes.Buffer
		streams := genericiooptions.IOStreams{In: strings.NewReader(manifest), Out: cancelling(cancel), ErrOut: &errOut}
		code := Execute(ctx, streams, append(strings.Fields(line), "--snapshot", "-"))
		if code != exitFailed || !strings.Contains(errOut.String(), "interrupted; the answer is incomplete") {
			t.Errorf("%s: exit code %d, %q", line, code, errOut.String())
		}
	}
}

// cancelling is a Writer that cancels.
type cancelling func()

func (c cancelling) Write(text []byte) (int, error) {
	c()
	return len(text), nil
}
