package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// offered are steps as an answer offers them: after half a diagnosis, without force.
func (r *run) offered(steps []finding.Remedy) []finding.Remedy {
	if r.found.cut {
		return slices.DeleteFunc(slices.Clone(steps), finding.Remedy.LastResort)
	}
	return steps
}

// ofWholeKinds are steps with one command for all objects of a kind where it would name only some of them, or each
// namespace would need one of its own.
func (x *expansion) ofWholeKinds(steps []finding.Remedy) []finding.Remedy {
	return finding.Each(steps, func(step finding.Remedy) finding.Remedy { return step.OfWholeKind(x.goesWhole) })
}

// goesWhole reports whether all objects of a kind in a namespace are being deleted, with the namespace or with their
// definition; in all namespaces, if it is "".
func (x *expansion) goesWhole(kind, namespace string) bool {
	for node, described := range x.graph.Nodes() {
		object := x.objects[node]
		if object == nil || !described.Terminating {
			continue
		}
		if object.Is("", "Namespace") && object.Ref.Name == namespace ||
			object.Is("apiextensions.k8s.io", "CustomResourceDefinition") && object.Ref.Name == kind {
			return true
		}
	}
	return false
}
