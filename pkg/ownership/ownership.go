// Package ownership is the garbage collector's model: what it makes of one owner reference, and of all references of a
// dependent together (k8s v1.37 pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem, isDangling,
// classifyReferences). It reads nothing: callers hand over what they have read.
package ownership

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Kind is what discovery says of the kind that an owner reference names.
type Kind struct {
	schema.GroupKind
	Served     bool
	Namespaced bool
	// Failure is why discovery of the reference's group version fails, or nil.
	Failure error
}

// Owner is what is known of the object that an owner reference is meant for.
type Owner struct {
	// Real is the object with the reference's uid, wherever it was found; nil if none was.
	Real *finding.Ref
	// Namesake is another object in its place: of the kind and name, in the dependent's namespace.
	Namesake *finding.Ref
	// Unread says that nobody could look in that place.
	Unread bool
}

// Judge says what the garbage collector makes of one owner reference of a dependent (rows A1 to A9 of
// deletion-mechanics). It looks for owners by kind and name, in the dependent's namespace, and compares the uid then.
func Judge(dependent finding.Ref, reference metav1.OwnerReference, kind Kind, owner Owner) finding.Ownership {
	switch {
	case kind.Failure != nil:
		return finding.OwnerUnreadable
	case !kind.Served:
		return finding.OwnerUnserved
	case kind.Namespaced && dependent.Namespace == "":
		return finding.DependentClusterScoped
	case owner.Real != nil:
		return judgeReal(dependent, reference, kind, *owner.Real)
	case owner.Unread:
		return finding.OwnerUnreadable
	case owner.Namesake != nil:
		return finding.OwnerReplaced
	}
	return finding.OwnerAbsent
}

// judgeReal compares what a reference claims with the object that has its uid.
func judgeReal(dependent finding.Ref, reference metav1.OwnerReference, kind Kind, owner finding.Ref) finding.Ownership {
	switch {
	case kind.Kind != owner.Kind || kind.Group != owner.Group() || reference.Name != owner.Name:
		return finding.OwnerMisnamed
	case owner.Namespace != "" && owner.Namespace != dependent.Namespace:
		return finding.OwnerElsewhere
	}
	return finding.Honoured
}

// InCycle is the state of a reference by which an object owns itself in the end (row A19). Another flaw stays what it
// is: the garbage collector doesn't follow such a reference.
func InCycle(state finding.Ownership) finding.Ownership {
	if state == finding.Honoured {
		return finding.OwnersCycle
	}
	return state
}
