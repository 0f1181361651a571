package finding

import (
	"slices"
	"strings"
)

// OfWholeKind returns a removal by force that is the same for more objects than its command names as one command for
// all objects of their kind in their namespace. It returns any other step as it is: of several kinds, namespaces or
// finalizers, or in a namespace in which, by terminating, there may be objects that were not deleted.
func (r Remedy) OfWholeKind(terminating func(namespace string) bool) Remedy {
	namespaces := r.Command.Values("-n")
	kinds := kindsIn(r.Command.targets())
	if r.Left == 0 || r.uneven || len(r.More) > 0 || !r.Forces() || len(kinds) != 1 || len(namespaces) != 1 ||
		len(r.Command.Values(finalizerFlag)) != 1 || !terminating(namespaces[0]) {
		return r
	}
	from, to := r.Command.place()
	// A selector is what remove takes instead of names: this one selects all that -n leaves.
	all := []string{"--field-selector", "metadata.namespace=" + namespaces[0], kinds[0]}
	r.Command, r.Left = slices.Replace(slices.Clone(r.Command), from, to, all...), 0
	return r
}

// isEven reports whether one more object is of the kind and namespace of a command's objects, with its finalizers.
func (c Command) isEven(more Command) bool {
	return c.beside(more) && slices.Equal(kindsIn(c.targets()), kindsIn(more.targets())) &&
		slices.Equal(c.Values(finalizerFlag), more.Values(finalizerFlag))
}

// kindsIn are the types of objects that are named as TYPE/NAME, each once.
func kindsIn(targets []string) (kinds []string) {
	for _, target := range targets {
		if kind, _, _ := strings.Cut(target, "/"); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
