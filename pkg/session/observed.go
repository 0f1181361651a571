package session

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ObservedOf is evidence that stands at an object itself.
func ObservedOf(object *Object, observed string) finding.Evidence {
	ref := object.Ref
	return finding.Evidence{Source: ref.String(), Observed: observed, Object: &ref}
}
