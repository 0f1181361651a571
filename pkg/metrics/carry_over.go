package metrics

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// carry takes over from the look before what this one could not list: it is unknown whether these objects are still
// there, and to leave them out would look as if they had gone. A list that broke off may have had some of them.
func (n *Numbers) carry(last *Numbers) {
	if last == nil {
		return
	}
	unknown := func(kind schema.GroupKind, version schema.GroupVersion) bool {
		return n.unlisted[kind] || n.undiscovered[version]
	}
	seen := map[finding.Ref]bool{} // there is one object in a place, whatever its uid
	for _, one := range n.objects {
		seen[one.ref.Place()] = true
	}
	for _, one := range last.objects {
		if unknown(kindOf(one.ref), versionOf(one.ref)) && !seen[one.ref.Place()] {
			n.objects = append(n.objects, one)
			n.carried++
		}
	}
	for one, count := range last.findings {
		if unknown(one.kind, one.version) {
			n.findings[one] = max(n.findings[one], count)
		}
	}
}
