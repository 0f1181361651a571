package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// unlessOneActs is a decision that one of several programs of one account is the controller, and that not all of them
// run, unless that account's program wrote to the status lately, since the deletion: that was the one that runs.
func unlessOneActs(h *held, found decision) decision {
	written := writers.StatusWritten(h.object.Meta.ManagedFields)
	late := h.search.session.Now().Sub(written.At) > signs.RecentWrite || written.At.Before(h.object.RequestedAt())
	if found.state != "" || len(h.search.shared) < 2 || late || !h.object.Terminating() ||
		!(writers.Setter{Manager: written.Manager}).Concrete() {
		return found
	}
	for _, c := range h.search.met {
		if c.state != candidateUnclear || !c.isCalled(written.Manager) && !sameProgram(written.Manager, c.account.Name) {
			continue
		}
		ready := slices.DeleteFunc(slices.Clone(c.sharing), func(one *program) bool { return !one.ready() })
		if len(ready) != 1 || ready[0].workload == nil {
			return found
		}
		own := *c
		own.unclear, own.workload, own.pods, own.state = nil, ready[0].workload, ready[0].pods, candidateAlive
		h.search.shared, h.search.found = nil, decision{Running, &own}
		return h.search.found
	}
	return found
}
