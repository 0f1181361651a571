package diagnosis

import (
	"maps"
	"slices"
)

// countFreed counts, for each group, the Terminating objects that wait for nothing else.
func (r *run) countFreed() {
	r.alone = map[int]*group{}
	for node, described := range r.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		if groups, unclear, moving := r.besides(node); len(groups) == 1 && !unclear && !moving {
			groups[0].frees++
			r.alone[node] = groups[0]
		}
	}
}

// besides returns the groups that a node waits for, without those that end with another one of them, and whether it
// waits for something that is not clear, or in progress, beside them.
func (r *run) besides(node int) (groups []*group, unclear, moving bool) {
	for _, reached := range slices.Sorted(maps.Keys(r.graph.Reach(node))) {
		place := r.at(reached)
		moving = moving || len(place.progress) > 0
		unclear = unclear || len(place.open) > 0
		for _, remark := range place.remarks {
			unclear = unclear || remark.Holds
		}
		for _, number := range place.causes {
			if one := r.member[number]; !slices.Contains(groups, one) {
				groups = append(groups, one)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(groups), func(one *group) bool {
		return slices.ContainsFunc(r.endsWith(one), func(other *group) bool { return slices.Contains(groups, other) })
	}), unclear, moving
}

// endsWith are the groups that hold the object of a cause that is over when its object is gone.
func (r *run) endsWith(ending *group) (others []*group) {
	first := ending.causes[0]
	if len(ending.causes) > 1 || !first.Ends {
		return nil
	}
	for reached := range r.graph.Reach(r.graph.Add(first.Object)) {
		for _, number := range r.at(reached).causes {
			if other := r.member[number]; other != ending && !slices.Contains(others, other) {
				others = append(others, other)
			}
		}
	}
	return others
}
