package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ChangeKind is what can become of an object, or of an answer, while it is watched.
type ChangeKind int

// The kinds of changes, in the order in which those of one moment are told.
const (
	WasReleased ChangeKind = iota // a finalizer was removed from objects
	IsGone                        // objects don't exist any more
	IsPassed                      // the answer doesn't speak of objects any more that waited in it
	IsCleared                     // root causes aren't found any more
	IsUnread                      // objects can't be read any more, for now: whether they are there isn't known
	IsReadAgain                   // such objects can be read again
	HasJoined                     // objects are waited for now, or listed
	NowSays                       // the answer is another one
)

// Change is one thing that a watch has seen happen, to objects of one kind.
type Change struct {
	At        time.Time
	What      ChangeKind
	Objects   []finding.Ref
	Finalizer string         // that was released, or whose root cause alone is cleared
	Reason    finding.Reason // of the root cause
	Text      string         // what the answer says
	Since     time.Time      // when the deletion of what has gone was requested, or zero
}

// Done reports whether something has come to an end: it can be ticked off.
func (c Change) Done() bool { return c.What <= IsCleared }

// Counts reports whether all that has changed is how many objects are left.
func (c Change) Counts() bool { return c.What == WasReleased || c.What == IsGone || c.What == IsPassed }

// Alike reports whether two changes are the same but for their objects, and these of one kind.
func (c Change) Alike(other Change) bool {
	return len(c.Objects) > 0 && len(other.Objects) > 0 && c.What == other.What && c.Finalizer == other.Finalizer &&
		c.Reason == other.Reason && c.Objects[0].Kind == other.Objects[0].Kind
}

// Progress is how far a deletion has come while it was watched.
type Progress struct {
	Left, Of  int
	Remaining time.Duration // zero if not known
}
