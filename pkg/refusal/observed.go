package refusal

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// ObservedOf is evidence that stands at an object itself.
func ObservedOf(object *facts.Object, observed string) graph.Evidence {
	ref := object.Ref
	return graph.Evidence{Source: ref.String(), Observed: observed, Object: &ref}
}
