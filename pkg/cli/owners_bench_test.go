package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// owners are as many ConfigMaps in foreground deletion, each owned by the one before: the first by the last, if they
// are a circle.
func owners(count int, circle bool) string {
	var out strings.Builder
	for i := range count {
		references := ""
		if owner := (i + count - 1) % count; circle || i > 0 {
			references = fmt.Sprintf(`,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"m%d","uid":"u%d",`+
				`"blockOwnerDeletion":true}]`, owner, owner)
		}
		fmt.Fprintf(&out, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m%d","namespace":"shop","uid":"u%d",`+
			`"deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["foregroundDeletion"]%s}}`+"\n", i, i, references)
	}
	return out.String()
}

// BenchmarkOwners asks about many owners in a circle, and in a chain.
func BenchmarkOwners(b *testing.B) {
	for _, count := range []int{100, 1_000, 2_000} {
		for name, circle := range map[string]bool{"circle": true, "chain": false} {
			manifest := owners(count, circle)
			for _, line := range []string{"why cm/m0 -n shop", "tree cm/m0 -n shop", "list -A", "check -A"} {
				b.Run(fmt.Sprintf("%s/%d/%s", name, count, strings.Fields(line)[0]), func(b *testing.B) {
					for b.Loop() {
						var out, errOut bytes.Buffer
						streams := genericiooptions.IOStreams{In: strings.NewReader(manifest), Out: &out, ErrOut: &errOut}
						Execute(b.Context(), streams, append(strings.Fields(line), "--snapshot", "-"))
					}
				})
			}
		}
	}
}
