package attribution

// movement is what is seen of the work on a Terminating object whose controller runs and has reported no trouble.
type movement struct {
	gone    bool // a finalizer of it, or the object, between two looks
	counts  bool // a number that counts what is done or left, or a condition, between two looks
	changed bool // a condition changed since the deletion, lately, and is not stamped anew with each write
	graced  bool // its grace period runs
	first   bool // something binds the controller to the finalizer, and it has had less than its first minute
	doubt   bool // its words since the deletion don't say that the work continues, or others report trouble
	writes  bool // it wrote since the deletion, lately: perhaps no more than a heartbeat
}

// progress is what follows from a movement.
type progress string

// What follows. Only the first two let people wait.
const (
	isMoving    progress = "Moving"  // something moves
	mayMove     progress = "MayMove" // nothing moves yet, and there is no objection to it
	onlyWrites  progress = "Writes"  // it writes, and nothing moves
	standsStill progress = "Stands"  // it doesn't even write
)

// judgeProgress is the decision table about progress (docs/decisions/0007-whose-finalizer.md#progress): movement is
// what was seen to move. A write alone is none, because heartbeats are writes. Words of doubt end the first minute, and
// take back a condition that changed to these very words; they don't take back what was seen.
func judgeProgress(m movement) progress {
	switch {
	case m.gone, m.counts, m.graced:
		return isMoving
	case m.changed && !m.doubt:
		return isMoving
	case m.first && !m.doubt:
		return mayMove
	case m.writes:
		return onlyWrites
	}
	return standsStill
}

// waits reports whether people may be told to wait.
func (p progress) waits() bool { return p == isMoving || p == mayMove }
