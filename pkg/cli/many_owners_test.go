package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// owners are as many ConfigMaps in foreground deletion, each owned by the one before: the first by the last, if they are
// a circle.
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

func TestTmpProfile(t *testing.T) {
	n := 2000
	for _, circle := range []bool{true, false} {
		manifest := owners(n, circle)
		for _, line := range []string{"why cm/m0 -n shop", "tree cm/m0 -n shop", "list -A", "preview cm/m0 -n shop", "why cm/m0 -n shop -o json", "check -A"} {
			s := time.Now()
			code, out, _ := executed(t, manifest, append(strings.Fields(line), "--snapshot", "-")...)
			t.Logf("circle %t %s: code %d, %d bytes in %s", circle, line, code, len(out), time.Since(s))
		}
	}
}
