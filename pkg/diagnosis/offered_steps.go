package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// offered are steps as an answer offers them: no force after half a diagnosis, and one command for all objects of a
// kind in a namespace where it would name only some of them.
func (r *run) offered(steps []finding.Remedy) []finding.Remedy {
	if r.found.cut {
		return slices.DeleteFunc(slices.Clone(steps), finding.Remedy.LastResort)
	}
	return finding.Each(steps, func(step finding.Remedy) finding.Remedy { return step.OfWholeKind(r.goesWhole) })
}

// goesWhole reports whether a namespace is being deleted, and with it everything in it.
func (r *run) goesWhole(namespace string) bool {
	for node, described := range r.found.graph.Nodes() {
		object := r.found.objects[node]
		if object != nil && described.Terminating && object.Is("", "Namespace") && object.Ref.Name == namespace {
			return true
		}
	}
	return false
}
