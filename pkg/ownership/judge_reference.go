// Package ownership is the garbage collector's model: what it makes of one owner reference, and of all references of a
// dependent together (k8s v1.37 pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem, isDangling,
// classifyReferences). It reads nothing: callers hand over what they have read.
//
// This package may change at any time.
package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
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
	// Unread says that this place could not be read.
	Unread bool
}

// Judge says what the garbage collector makes of one owner reference of a dependent
// (docs/deletion.md#how-owner-references-are-judged). It looks for owners by kind and name, in the dependent's
// namespace, and compares the uid then. It asks for whatever a name leads to (k8s v1.37
// client-go/metadata/metadata.go:makeURLSegments): with a name that no object can have, that may be another object,
// nothing, or a refusal, and this program doesn't look.
func Judge(dependent finding.Ref, reference metav1.OwnerReference, kind Kind, owner Owner) finding.Ownership {
	switch {
	case kind.Failure != nil:
		return finding.OwnerUnreadable
	case !kind.Served:
		return finding.OwnerUnserved
	case kind.Namespaced && dependent.Namespace == "":
		return finding.DependentClusterScoped
	case cluster.CheckName("", reference.Name) != nil:
		return finding.OwnerUnreadable
	case owner.Real != nil:
		return judgeReal(dependent, reference, kind, *owner.Real)
	case owner.Unread:
		return finding.OwnerUnreadable
	case owner.Namesake != nil:
		return finding.OwnerReplaced
	}
	return finding.OwnerAbsent
}

func judgeReal(dependent finding.Ref, reference metav1.OwnerReference, kind Kind, owner finding.Ref) finding.Ownership {
	switch {
	case kind.Kind != owner.Kind || kind.Group != owner.Group() || reference.Name != owner.Name:
		return finding.OwnerMisnamed
	case owner.Namespace != "" && owner.Namespace != dependent.Namespace:
		return finding.OwnerElsewhere
	}
	return finding.Honoured
}

// InCycle is the state of a reference by which an object owns itself in the end (docs/deletion.md#circles-of-owners),
// unless it has another flaw.
func InCycle(state finding.Ownership) finding.Ownership {
	if state == finding.Honoured {
		return finding.OwnersCycle
	}
	return state
}

// Judged is one owner reference of an object and what the garbage collector makes of it.
type Judged struct {
	Reference metav1.OwnerReference
	State     finding.Ownership
	// Owner is the object that the reference means, or would mean, as far as it is known: without a Meta, it is known
	// by name only.
	Owner *session.Object
	// Undiscovered is why discovery of the owner's kind fails, or nil. The garbage collector can't judge it either.
	Undiscovered error
	// Err is why the owner could not be read, or nil.
	Err error
}

// Named is the owner as the reference names it.
func (j Judged) Named() finding.Ref {
	return finding.Ref{
		APIVersion: j.Reference.APIVersion, Kind: j.Reference.Kind, Name: j.Reference.Name,
		UID: string(j.Reference.UID),
	}
}

// Waits reports whether the owner is in foreground deletion: its dependents are deleted first.
func (j Judged) Waits() bool {
	return j.State == finding.Honoured && WaitsForDependents(j.Owner)
}

// Solid reports whether the owner keeps the dependent: it exists, and doesn't wait for its dependents. One that is
// Terminating for other reasons is solid too.
func (j Judged) Solid() bool {
	return (j.State == finding.Honoured || j.State == finding.OwnersCycle) && !j.Waits()
}

// refused reports whether the garbage collector fails at the reference, whoever looks.
func (j Judged) refused() bool {
	return j.State == finding.OwnerUnserved || j.State == finding.DependentClusterScoped || j.Undiscovered != nil
}

// Unread reports whether the owner could not be read.
func (j Judged) Unread() bool { return j.State == finding.OwnerUnreadable }

// HasFinalizer reports whether an object that was read has a finalizer.
func HasFinalizer(object *session.Object, name string) bool {
	return object != nil && object.Meta != nil && slices.Contains(object.Meta.Finalizers, name)
}
