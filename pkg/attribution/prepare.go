package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// severalHeld is how many objects make it certain enough that what refuses writes and what RBAC allows will be
// asked about.
const severalHeld = 6

// Prepare reads, side by side, what is asked about every finalizer that no plugin knows, if
// there are several: else one would be read after the other, when the first of them is explained.
func (f *Finder) Prepare(ctx context.Context, objects []*session.Object) {
	held := 0
	for _, object := range objects {
		if slices.ContainsFunc(object.Meta.Finalizers, func(name string) bool {
			_, known := f.Plugins.Find(name, object.Resource.GroupKind().String())
			return !known
		}) {
			held++
		}
		if held > severalHeld {
			session.SideBySide([]func(){func() { f.Session.AdmissionRules(ctx) }, func() { _, _ = f.permissions(ctx) }})
			return
		}
	}
}
