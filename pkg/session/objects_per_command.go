package session

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// MostTogether is how many objects one command names.
const MostTogether = 50

// Together are the objects that one command may name: in one namespace, and not too many.
func Together(objects []*Object) (groups [][]*Object) {
	at := map[string]int{}
	for _, object := range objects {
		place, known := at[object.Ref.Namespace]
		if !known || len(groups[place]) == MostTogether {
			place = len(groups)
			at[object.Ref.Namespace] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], object)
	}
	return groups
}

// Paths are objects as kubectl's arguments.
func Paths(objects []*Object) []string { return finding.Each(objects, pathOf) }

// ForAll are the commands by which kubectl does something to objects, to as many at once as one may name. flags come
// behind the names.
func (k Kubectl) ForAll(objects []*Object, verb string, flags ...string) []finding.Command {
	return finding.Each(Together(objects), func(group []*Object) finding.Command {
		return slices.Concat(k.Prefix(group[0].Ref, verb), Paths(group), flags)
	})
}
