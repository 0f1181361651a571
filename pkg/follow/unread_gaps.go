package follow

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// gap is something that an answer could not read.
type gap struct{ resource, namespace, name string }

// gaps are what an answer could not read.
func (a *Answer) gaps() map[gap]bool {
	all := map[gap]bool{}
	for _, one := range a.unread {
		all[gap{one.Resource, one.Namespace, one.Name}] = true
	}
	return all
}

// without returns the gaps that others are not among.
func without(gaps, others map[gap]bool) map[gap]bool {
	left := map[gap]bool{}
	for one := range gaps {
		if !others[one] {
			left[one] = true
		}
	}
	return left
}

// hides reports whether an object is among what could not be read: by itself, with its kind, or with all kinds of a
// version whose discovery fails.
func (a *Answer) hides(gaps map[gap]bool, object finding.Ref) bool {
	names := []string{"*." + object.APIVersion}
	if a.Kinds != nil {
		kind := schema.GroupKind{Group: object.Group(), Kind: object.Kind}
		if resource, served := a.Kinds.OfKind(kind); served {
			names = append(names, resource.QualifiedName())
		}
	}
	for one := range gaps {
		if slices.Contains(names, one.resource) && (one.namespace == "" || one.namespace == object.Namespace) &&
			(one.name == "" || one.name == object.Name) {
			return true
		}
	}
	return false
}
