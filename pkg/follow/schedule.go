package follow

import "time"

// When the cluster is looked at anew. Each look costs what asking once costs.
const (
	settle    = 300 * time.Millisecond // what changes together is looked at together
	shortest  = time.Second            // between two looks
	calm      = 15 * time.Second       // between two looks for what goes, while the answer stays as it is
	calmest   = 2 * time.Minute        // between two looks for what is written, while that makes no difference
	firstIdle = 10 * time.Second       // until a look for what time, or something that isn't watched, may have changed
	lastIdle  = 5 * time.Minute        // the same, after everything has stayed as it was for long
	lastBlind = 2 * time.Minute        // the same, where something can't be watched
	share     = 4                      // a look that takes long is followed by so many times that without one
	firstTry  = 2 * time.Second        // after a look that failed
	lastTry   = 30 * time.Second
)

// schedule decides when to look again. It is told the time, and reads no clock.
type schedule struct {
	looked time.Time     // when the last look ended
	rest   time.Duration // that follows upon it at least
	idle   time.Duration
	due    time.Time // of the look that changes ask for; zero if none does
	over   time.Time // when something should be over that the answer names, or zero
	named  time.Time // what it named last as that
	failed int       // looks in a row

	asking    map[string]bool // those whose changes ask for the next look
	fruitless map[string]int  // how often in a row a look for the changes of one has found nothing new
	blind     bool            // something can't be watched
}

func newSchedule() *schedule {
	return &schedule{asking: map[string]bool{}, fruitless: map[string]int{}}
}

// changed notes a change: of one object, or of those that are alike. What changes a target is looked at soon; what
// holds others, and what else is written to them, a heartbeat or a status, the later the more often it has made no
// difference.
func (s *schedule) changed(now time.Time, what string, is difference) {
	after := max(shortest, s.rest)
	if most := map[difference]time.Duration{written: calmest, holds: calm}[is]; most > 0 {
		s.asking[what] = true
		after = max(after, min(most, shortest<<min(s.fruitless[what], 10)))
	}
	due := later(now.Add(settle), s.looked.Add(after))
	if s.failed > 0 {
		return // the next look is on its way
	}
	if s.due.IsZero() || due.Before(s.due) {
		s.due = due
	}
}

// done notes the end of a look that took some time: whether its answer differs from the one before, and when what it
// names should be over.
func (s *schedule) done(now time.Time, took time.Duration, differs bool, until time.Time) {
	for object := range s.asking {
		if differs {
			delete(s.fruitless, object)
		} else {
			s.fruitless[object]++
		}
	}
	clear(s.asking)
	last := lastIdle
	if s.blind {
		last = lastBlind
	}
	s.idle = min(2*s.idle, last)
	if differs || s.idle == 0 {
		s.idle = firstIdle
	}
	s.looked, s.rest, s.due, s.over, s.failed = now, share*took, time.Time{}, time.Time{}, 0
	if until.After(now) && (differs || until.Equal(s.named)) { // else it counts from each look, and is never over
		s.over = until.Add(time.Second)
	}
	s.named = until
}

// failure notes the end of a look that found out nothing.
func (s *schedule) failure(now time.Time) {
	wait := min(lastTry, firstTry<<min(s.failed, 10))
	s.failed++
	s.looked, s.due = now, now.Add(wait)
}

// again asks for another look at once.
func (s *schedule) again(now time.Time) { s.looked, s.due = now, now.Add(firstTry) }

// next is when to look again.
func (s *schedule) next() time.Time {
	if s.failed > 0 {
		return s.due
	}
	next := s.looked.Add(max(s.idle, s.rest))
	for _, one := range []time.Time{s.due, s.over} {
		if !one.IsZero() && one.Before(next) {
			next = one
		}
	}
	return next
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
