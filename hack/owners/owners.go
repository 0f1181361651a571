// Package owners makes large graphs of owners, for tests and benchmarks.
package owners

import (
	"fmt"
	"strings"
)

// Manifest returns as many ConfigMaps in JSON, a line each, each owned by the one before: the first by the last, if
// they are a circle. They are in foreground deletion, or they were not deleted.
func Manifest(count int, circle, deleted bool) string {
	var out strings.Builder
	for i := range count {
		rest := ""
		if owner := (i + count - 1) % count; circle || i > 0 {
			rest = fmt.Sprintf(`,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"m%d","uid":"u%d",`+
				`"blockOwnerDeletion":true}]`, owner, owner)
		}
		if deleted {
			rest += `,"deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["foregroundDeletion"]`
		}
		fmt.Fprintf(&out, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m%d","namespace":"shop","uid":"u%d"%s}}`+
			"\n", i, i, rest)
	}
	return out.String()
}
