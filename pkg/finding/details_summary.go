package finding

import (
	"slices"
	"time"
)

// SummaryDetails are those of the sentence that sums up how it stands with an object.
type SummaryDetails struct {
	RequestedAt time.Time
	Awaits      Waiting
	Guessed     bool // what leads to all of them is only likely
	// For an object that was not deleted:
	Undeletable bool      // the API server never deletes it
	Sentences   []Finding // what others will make of it, and what refuses its deletion
	Held        *Phrase   // what would hold it
}

// Named are those of Awaits whose clause is in the sentence: it counts what is more, and says only why the others are
// not clear.
func (d SummaryDetails) Named() []Awaited {
	return slices.DeleteFunc(slices.Clone(d.Awaits.first()), func(awaited Awaited) bool { return awaited.Unclear() })
}

// Unread is how many of what may block the object is not known, because a read failed.
func (d SummaryDetails) Unread() (count int) { return d.Awaits.Unclear() }

// HoldsDetails are those of what would hold an object, if it were deleted.
type HoldsDetails struct {
	Holds []Phrase `json:"holds,omitempty"`
}

// HoldDetails are those of one hold, and of what is known of it.
type HoldDetails struct {
	Object    *Ref   `json:"object,omitempty"`
	Name      string `json:"name,omitempty"`
	RemovedBy string `json:"removedBy,omitempty"`
	WaitsFor  string `json:"waitsFor,omitempty"`
	Doubtful  bool   `json:"doubtful,omitempty"` // it was not verified
}

// AwaitedCauseDetails are those of a root cause of something that the target goes with.
type AwaitedCauseDetails struct {
	Object    Ref     `json:"object,omitzero"` // that the target goes with
	Cause     Finding `json:"-"`
	Reason    Reason  `json:"reason"`
	Situation string  `json:"situation,omitempty"`
	Details   any     `json:"details,omitempty"`
	Told      bool    `json:"-"` // the sentence that sums up names the cause
}

// DeadlockDetails are those of OwnershipDeadlock.
type DeadlockDetails struct {
	Members  []Ref `json:"members,omitzero"`   // that wait for one another; one alone waits for itself
	Blocking bool  `json:"blocking,omitempty"` // their references would have them wait in foreground deletion
}

// MostMembers is how many members of a circle sentences name.
const MostMembers = 5

// Names are the objects that the sentences about it name.
func (d DeadlockDetails) Names() []Ref { return d.Members[:min(MostMembers, len(d.Members))] }

// Other is the other one of two, where a sentence is about one of them.
func (d DeadlockDetails) Other(subject Ref) *Ref {
	for i := range d.Members {
		if len(d.Members) == 2 && d.Members[i].SameAs(subject) {
			return &d.Members[1-i]
		}
	}
	return nil
}

// Naming is what details implement whose sentences name objects that the finding is about: they needn't be listed.
type Naming interface{ Names() []Ref }

// NamesDetails are those of what is to be said of some objects, or of some names.
type NamesDetails struct {
	Objects []Ref    `json:"objects,omitempty"`
	Names   []string `json:"names,omitempty"`
}
