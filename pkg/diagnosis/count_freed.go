package diagnosis

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// countFreed counts, for each group, the Terminating objects that wait for nothing else.
func (r *run) countFreed() {
	r.alone, r.parts = make([]*group, len(r.graph.Nodes())), r.graph.Parts()
	r.fates, r.beside = map[int]fate{}, map[int]beside{}
	for node, described := range r.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		if groups, what := r.besides(node); len(groups) == 1 && what == (result.Besides{}) {
			groups[0].frees++
			r.alone[node] = groups[0]
		}
	}
}

// beside is what besides returns. It is the same for all nodes that wait for one another.
type beside struct {
	groups []*group
	what   result.Besides
}

// besides returns the groups that a node waits for, without the ones that end with another one of them, and what
// it waits for beside them.
func (r *run) besides(node int) (groups []*group, what result.Besides) {
	part := r.parts[node]
	if known, is := r.beside[part]; is {
		return known.groups, known.what
	}
	groups, what = r.besidesOf(node)
	r.beside[part] = beside{groups, what}
	return groups, what
}

func (r *run) besidesOf(node int) (groups []*group, what result.Besides) {
	for _, reached := range r.graph.Reach(node) {
		place := r.at(reached)
		what.Moving = what.Moving || len(place.progress.findings) > 0
		what.Unclear = what.Unclear || len(place.open.findings) > 0
		for _, remark := range place.remarks {
			what.Later = what.Later || remark.Holds
		}
		for _, number := range place.causes {
			if one := r.member[number]; !slices.Contains(groups, one) {
				groups = append(groups, one)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(groups), func(one *group) bool {
		return slices.ContainsFunc(r.endsWith(one), func(other *group) bool { return slices.Contains(groups, other) })
	}), what
}

// endsWith are the groups that hold the object of a cause that is over when its object is gone.
func (r *run) endsWith(ending *group) (others []*group) {
	first := ending.causes[0]
	if len(ending.causes) > 1 || !first.Ends {
		return nil
	}
	for _, reached := range r.graph.Reach(r.graph.Add(first.Object)) {
		for _, number := range r.at(reached).causes {
			if other := r.member[number]; other != ending && !slices.Contains(others, other) {
				others = append(others, other)
			}
		}
	}
	return others
}
