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
	idle   time.Duration // after which time alone is a reason to look
	retry  time.Time     // when to look again because the last look told nothing, or nothing that is believed; or zero
	failed int           // looks in a row
	over   time.Time     // when something should be over that the answer names, or zero
	named  time.Time     // what it named last as that

	asking    map[string]request // what changes ask for a look
	served    map[string]request // the ones that the last look was for
	fruitless map[string]int     // how often in a row a look for the changes of one has found nothing new
	blind     bool               // something can't be watched
}

// request is what one change asks for.
type request struct {
	since time.Time
	is    difference
}

func newSchedule() *schedule {
	return &schedule{asking: map[string]request{}, fruitless: map[string]int{}}
}

// changed notes a change: of one object, or of the ones that are alike.
func (s *schedule) changed(now time.Time, what string, is difference) {
	if asked, known := s.asking[what]; known {
		now, is = asked.since, max(is, asked.is)
	}
	s.asking[what] = request{now, is}
}

// due is when to look for a change. What changes a target is looked at soon; what holds others, and what else is
// written to them, a heartbeat or a status, the later the more often it has made no difference.
func (s *schedule) due(what string, asked request) time.Time {
	after := max(shortest, s.rest)
	if most := map[difference]time.Duration{written: calmest, holds: calm}[asked.is]; most > 0 {
		after = max(after, min(most, shortest<<min(s.fruitless[what], 10)))
	}
	return later(asked.since.Add(settle), s.looked.Add(after))
}

// begin notes that a look begins: what changes from now on asks for the next one.
func (s *schedule) begin() { s.served, s.asking = s.asking, map[string]request{} }

// done notes the end of a look that took some time: whether its answer differs from the one before, and when what it
// names should be over.
func (s *schedule) done(now time.Time, took time.Duration, differs bool, until time.Time) {
	for what := range s.served {
		if differs {
			delete(s.fruitless, what)
		} else {
			s.fruitless[what]++
		}
	}
	last := lastIdle
	if s.blind {
		last = lastBlind
	}
	s.idle = min(2*s.idle, last)
	if differs || s.idle == 0 {
		s.idle = firstIdle
	}
	s.looked, s.rest, s.retry, s.failed, s.over = now, share*took, time.Time{}, 0, time.Time{}
	if until.After(now) && (differs || until.Equal(s.named)) { // else it counts from each look, and is never over
		s.over = until.Add(time.Second)
	}
	s.named = until
}

// failure notes the end of a look that found out nothing.
func (s *schedule) failure(now time.Time) {
	s.looked, s.retry = now, now.Add(min(lastTry, firstTry<<min(s.failed, 10)))
	s.failed++
}

// again asks for another look soon, because the answer of the last one isn't believed.
func (s *schedule) again(now time.Time) { s.looked, s.retry = now, now.Add(firstTry) }

// next is when to look again.
func (s *schedule) next() time.Time {
	if !s.retry.IsZero() {
		return s.retry
	}
	next := s.looked.Add(max(s.idle, s.rest))
	if !s.over.IsZero() && s.over.Before(next) {
		next = s.over
	}
	for what, asked := range s.asking {
		if due := s.due(what, asked); due.Before(next) {
			next = due
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
