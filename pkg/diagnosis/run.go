package diagnosis

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// run is one diagnosis: what it has found, how that is grouped, what is lost, how it stands with a target that was not
// deleted, and what other clusters have to do with it.
type run struct {
	tools  *mechanism.Tools
	found  *expansion
	groups *grouping
	losses *losses
	life   *life
	abroad *abroad
}

func newRun(tools *mechanism.Tools) *run {
	found := newExpansion(tools)
	groups := &grouping{found: found, unclears: map[int]bool{}, keys: map[string]int{}}
	return &run{
		tools: tools, found: found, groups: groups,
		losses: &losses{found: found, groups: groups}, life: &life{found: found},
		abroad: &abroad{causes: map[string]result.RootCause{}},
	}
}
