package snapshot

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/sets"
)

// driverLeases reports whether a name is that of a Lease by which a storage driver's sidecar leads: it consists of the
// driver's, which stays, with dashes (attribution/driver_search.go).
func (n *names) driverLeases() func(name string) bool {
	dashed := sets.Set[string]{}
	for kept := range n.kept {
		if strings.Contains(kept, ".") {
			dashed.Insert(strings.NewReplacer(".", "-", "/", "-").Replace(kept))
		}
	}
	return func(name string) bool {
		for at, letter := range name {
			if letter == '-' && strings.HasPrefix(name, "external-") && dashed.Has(name[at+1:]) {
				return true
			}
		}
		return dashed.Has(name)
	}
}
