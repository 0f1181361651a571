package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
)

// severalHeld is how many objects make it certain enough that what refuses writes and what RBAC allows will be
// asked about.
const severalHeld = 6

// Prepare reads, side by side, what is asked about every custom resource whose finalizer no plugin knows, if
// there are several: else one would be read after the other, when the first of them is explained.
func (w *World) Prepare(ctx context.Context, objects []*facts.Object) {
	held := 0
	for _, object := range objects {
		if facts.Custom(object.Resource.Group) && slices.ContainsFunc(object.Meta.Finalizers, func(name string) bool {
			_, known := w.Plugins.Find(name, object.Resource.GroupKind().String())
			return !known
		}) {
			held++
		}
		if held > severalHeld {
			facts.SideBySide([]func(){func() { w.AdmissionRules(ctx) }, func() { _, _ = w.permissions(ctx) }})
			return
		}
	}
}
