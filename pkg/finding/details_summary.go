package finding

import (
	"slices"
	"time"
)

// Awaited is what an object waits for: a finding, or several of one key.
type Awaited struct {
	Finding
	Count int
}

// Waiting is what an object waits for: the first few things, which are all that sentences name, and how many more there
// are.
type Waiting struct {
	Some              []Awaited
	More, MoreUnclear int // that are known to block it, and that may block it
	sure, unclear     int // of these few
}

// mostUnclear is how many reasons why something is not clear are compared with one another: sentences say two.
const mostUnclear = 8

// WaitingFor is Waiting for all of some things.
func WaitingFor(awaited []Awaited) (w Waiting) {
	for _, one := range awaited {
		w.Add(one)
	}
	return w
}

// Add adds one more thing.
func (w *Waiting) Add(one Awaited) {
	count, more, most := &w.sure, &w.More, mostAwaited
	if one.Unclear() {
		count, more, most = &w.unclear, &w.MoreUnclear, mostUnclear
	}
	if *count == most {
		*more++
		return
	}
	*count++
	w.Some = append(w.Some, one)
}

// Count is how many things there are.
func (w Waiting) Count() int { return len(w.Some) + w.More + w.MoreUnclear }

// Unclear is of how many of them it is not clear whether they block the object.
func (w Waiting) Unclear() int { return w.unclear + w.MoreUnclear }

// first are the first of them, as many as sentences name.
func (w Waiting) first() []Awaited { return w.Some[:min(mostAwaited, len(w.Some))] }

// Unclear reports whether a finding says only that it is not clear what blocks its object: a read failed.
func (f Finding) Unclear() bool { return unclear(Voice{}, f) != "" }

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
	return slices.DeleteFunc(slices.Clone(d.Awaits.first()), func(one Awaited) bool { return one.Unclear() })
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
