package ownership

import "slices"

// Outcome is what the garbage collector does with a dependent.
type Outcome string

// The outcomes. Undecidable: the garbage collector can't judge one reference, and so does nothing at all, for good.
// Unknown: what the garbage collector reads could not be read here.
const (
	Kept        Outcome = "Kept"        // one owner is solid; references to others are removed
	Collected   Outcome = "Collected"   // no owner is left
	GoesFirst   Outcome = "GoesFirst"   // an owner waits for its dependents, and none is solid
	Undecidable Outcome = "Undecidable" // a reference fails, or is one that it never follows
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
