package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

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
		APIVersion: j.Reference.APIVersion, Kind: j.Reference.Kind, Name: j.Reference.Name, UID: string(j.Reference.UID),
	}
}

// Waits reports whether the owner is being deleted in the foreground: its dependents go first (rows A10 and A11).
func (j Judged) Waits() bool {
	return j.State == finding.Honoured && HasFinalizer(j.Owner, metav1.FinalizerDeleteDependents) && j.Owner.Terminating()
}

// Solid reports whether the owner keeps the dependent: it exists, and doesn't wait for its dependents. One that is
// Terminating for other reasons is solid too (rows A1 and A13).
func (j Judged) Solid() bool {
	return (j.State == finding.Honoured || j.State == finding.OwnersCycle) && !j.Waits()
}

// refused reports whether the garbage collector fails at the reference, whoever looks (rows A6 and A8).
func (j Judged) refused() bool {
	return j.State == finding.OwnerUnserved || j.State == finding.DependentClusterScoped || j.Undiscovered != nil
}

// Unread reports whether nobody could look whether the owner is there.
func (j Judged) Unread() bool { return j.State == finding.OwnerUnreadable }

// HasFinalizer reports whether an object that was read has a finalizer.
func HasFinalizer(object *session.Object, name string) bool {
	return object != nil && object.Meta != nil && slices.Contains(object.Meta.Finalizers, name)
}

// Outcome is what the garbage collector does with a dependent.
type Outcome string

// The outcomes. Undecidable: the garbage collector can't judge one reference, and so does nothing at all, for good.
// Unknown: what the garbage collector reads could not be read here.
const (
	Kept        Outcome = "Kept"        // A1, A13, A14: one owner is solid; references to others are removed
	Collected   Outcome = "Collected"   // A2, A3, A4, A7: no owner is left
	GoesFirst   Outcome = "GoesFirst"   // A10, A11: an owner waits for its dependents, and none is solid
	Undecidable Outcome = "Undecidable" // A6, A8, A15
	Unknown     Outcome = "Unknown"
)

// Decide says what the garbage collector does with a dependent by all its owner references, and which one decides that.
// One that fails keeps it from acting on any. An object without owners is kept, and no reference decides it.
func Decide(references []Judged) (Outcome, *Judged) {
	for _, rule := range []struct {
		outcome Outcome
		applies func(Judged) bool
	}{{Undecidable, Judged.refused}, {Kept, Judged.Solid}, {Unknown, Judged.Unread}, {GoesFirst, Judged.Waits}} {
		if decides := slices.IndexFunc(references, rule.applies); decides >= 0 {
			return rule.outcome, &references[decides]
		}
	}
	if len(references) == 0 {
		return Kept, nil
	}
	return Collected, &references[0]
}
