package diagnosis

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostBlocking puts the causes in front that block most objects: the order of a list.
func (g *grouping) mostBlocking() {
	slices.SortStableFunc(g.all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.blocks, a.blocks), cmp.Compare(b.frees, a.frees))
	})
}

// ownFirst puts what is wrong at an object itself in front where sentences don't name all causes: it must be among the
// named ones.
func (g *grouping) ownFirst(object finding.Ref) {
	if len(g.all) > finding.MostItems+1 {
		slices.SortStableFunc(g.all, func(a, b *group) int {
			return session.FalseFirst(a.causes[0].Object != object, b.causes[0].Object != object)
		})
	}
}

// foremost compares causes by which of them is told first: one that is known, one that frees more.
func foremost(cause, other finding.Finding, frees, otherFrees int) int {
	return cmp.Or(
		session.FalseFirst(unidentified(cause), unidentified(other)), cmp.Compare(otherFrees, frees),
		cmp.Compare(cause.Reason, other.Reason), finding.Compare(cause.Object, other.Object),
		cmp.Compare(cause.Finalizer, other.Finalizer),
	)
}
