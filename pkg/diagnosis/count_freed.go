package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// countFreed counts, for each group, the Terminating objects that wait for nothing else.
func (r *run) countFreed() {
	r.alone = map[int]*group{}
	for node, described := range r.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		var only *group
		alone := true
		for reached := range r.graph.Reach(node) {
			place := r.at(reached)
			alone = alone && len(place.open) == 0 && len(place.progress) == 0 &&
				!slices.ContainsFunc(place.remarks, func(remark finding.Finding) bool { return remark.Holds })
			for _, number := range place.causes {
				alone = alone && (only == nil || only == r.member[number])
				only = r.member[number]
			}
		}
		if alone && only != nil {
			only.frees++
			r.alone[node] = only
		}
	}
}
