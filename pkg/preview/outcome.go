package preview

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func stuck(hanging result.Hanging) bool { return hanging.Verdict == result.Stuck }

// outcome says in a word what would come of the deletion.
func (p *previewer) outcome() result.Outcome {
	switch {
	case len(p.result.Refusals) > 0 && p.result.Refusals[0].Object == p.target.Ref:
		return result.WouldBeRefused
	case slices.ContainsFunc(p.result.Hanging, stuck) || len(p.result.Refusals) > 0:
		return result.WouldHang
	case len(p.result.Hanging)+len(p.result.Unreadable)+len(p.result.Unsure) > 0,
		p.skipped > 0, slices.ContainsFunc(p.result.Asked, unjudged):
		return result.MayHang
	}
	return result.WouldGo
}
