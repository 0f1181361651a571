package removal

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// inOrder sorts items so that each comes after the ones that it waits for, and after its dependents: if an owner were
// removed first, they would be collected. If objects wait for one another, the first named comes first.
func inOrder(items []*item) []*item {
	var ordered []*item
	visited := map[*item]bool{}
	var visit func(one *item)
	visit = func(one *item) {
		if visited[one] {
			return
		}
		visited[one] = true
		for _, other := range items {
			if other == one || !one.seen.waitsFor(other.seen.object.Ref.UID) && !other.dependsOn(one) {
				continue
			}
			visit(other)
			if slices.Contains(ordered, other) {
				one.awaits = append(one.awaits, other)
			}
		}
		ordered = append(ordered, one)
	}
	for _, one := range items {
		visit(one)
	}
	return ordered
}

func (i *item) dependsOn(owner *item) bool {
	meta := i.seen.object.Meta
	of := owner.seen.object
	refers := func(reference metav1.OwnerReference) bool { return string(reference.UID) == of.Ref.UID }
	return slices.ContainsFunc(meta.OwnerReferences, refers) || of.Is("", "Namespace") && meta.Namespace == of.Ref.Name
}
