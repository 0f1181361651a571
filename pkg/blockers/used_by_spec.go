package blockers

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// usedBySpec reports whether an object that a controller's words name is one that the held object uses, as a PushSecret
// uses its SecretStore: the spec names it, the held object doesn't own it, and the words that name it don't speak of
// its end. It is needed for the cleanup, so nothing waits for its deletion.
func usedBySpec(object, named *session.Object, words string) bool {
	owns := func(owner metav1.OwnerReference) bool { return string(owner.UID) == object.Ref.UID }
	if object.Whole == nil || slices.ContainsFunc(named.Meta.OwnerReferences, owns) {
		return false
	}
	meant := referent(named)
	inSpec := func(reference statuses.Reference) bool {
		return reference.InSpec() && reference.Fits(meant, object.Ref.Namespace)
	}
	return slices.ContainsFunc(statuses.References(object.Whole), inSpec) && !statuses.SpeaksOfEnd(words, named.Ref.Name)
}
