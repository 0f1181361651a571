// Package follow stays with a question until it is answered for good: it looks at the cluster, watches the objects in
// the answer, looks again when something has changed that may matter, and says what has happened.
//
// This package may change at any time.
package follow

import (
	"context"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Options say what is watched, how that is shown, and when it ends.
type Options struct {
	Look        Look
	Watcher     cluster.Watcher
	ServedKinds *cluster.ServedKinds // to watch what an answer speaks of
	View        View
	// Timeout ends the watch after some time; zero never.
	Timeout time.Duration
	// UntilStuck ends the watch when only a person can help everything that is left.
	UntilStuck bool
}

// End says why a watch has ended.
type End int

// The ends of a watch.
const (
	Gone        End = iota // nothing is left to wait for
	Stuck                  // only a person can help
	TimedOut               // the time is over
	Interrupted            // it was ended
)

// View shows what happens. It is called from one goroutine at a time.
type View interface {
	// Show shows a moment.
	Show(moment Moment) error
	// Beat is how often Show is called when nothing happens: for screens, whose size may change. Zero is never.
	Beat() time.Duration
	// Close shows how it has ended, and leaves the terminal as it was.
	Close(end End, moment Moment) error
}

// Moment is how it stands with what is watched.
type Moment struct {
	At       time.Time
	Answer   *Answer // the last one
	Fresh    bool    // that answer wasn't shown yet
	Changes  []result.Change
	Progress result.Progress
	Looked   time.Time // when the answer was found
	Trouble  error     // of the last look, which has found out nothing
}

// Run watches until an end comes, and returns which one, and the last answer. An error says that there was no answer at
// all, or that it can't be shown.
func Run(ctx context.Context, options Options) (End, *Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		options: options, story: newStory(), schedule: newSchedule(), watches: newWatches(options.Watcher),
		looks: make(chan looked, 1), begun: time.Now(),
	}
	r.look(ctx)
	first := <-r.looks // where ctx ends meanwhile, it holds what is known by then
	if first.err != nil {
		return Interrupted, nil, first.err
	}
	if err := r.take(ctx, first); err != nil {
		return Interrupted, nil, err
	}
	end, err := r.loop(ctx)
	if closed := options.View.Close(end, r.moment(r.story.tellings())); err == nil {
		err = closed
	}
	return end, r.answer, err
}

// looked is the outcome of a look.
type looked struct {
	answer      *Answer
	err         error
	begun, done time.Time
}

type run struct {
	options  Options
	story    *story
	schedule *schedule
	watches  *watches
	begun    time.Time

	looks   chan looked
	looking bool
	answer  *Answer
	looked  time.Time // when that was found
	trouble error
	doubts  int       // answers in a row that were not believed
	fresh   bool      // the answer wasn't shown yet
	showing time.Time // when what has happened is to be shown; zero if nothing has
	shown   time.Time
}

func (r *run) look(ctx context.Context) {
	r.looking = true
	r.schedule.begin()
	go func() {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel() // what belongs to the look ends with it
		begun := time.Now()
		answer, err := r.options.Look(ctx)
		r.looks <- looked{answer: answer, err: err, begun: begun, done: time.Now()}
	}()
}

// together is how long what happens is gathered before it is told.
const together = time.Second

func (r *run) loop(ctx context.Context) (End, error) {
	for {
		if end, over := r.over(ctx); over {
			return end, nil
		}
		if err := r.show(); err != nil {
			return Interrupted, err
		}
		timer := time.NewTimer(time.Until(r.wake()))
		select {
		case <-ctx.Done():
		case sighting := <-r.watches.sightings:
			for what, is := range r.story.saw(time.Now(), sighting) {
				r.schedule.changed(time.Now(), what, is)
			}
			r.happened()
		case key := <-r.watches.refusals:
			r.watches.refuse(key)
			r.schedule.blind = true
		case done := <-r.looks:
			if err := r.take(ctx, done); err != nil {
				timer.Stop()
				return Interrupted, err
			}
		case <-timer.C:
			if !r.looking && !time.Now().Before(r.schedule.next()) {
				r.look(ctx)
			}
		}
		timer.Stop()
	}
}

// doubtful reports whether an answer has to be found again before it is believed: it could read less than the one
// before, or finds nothing any more of what no watch has seen to go. A server may just be starting again.
func (r *run) doubtful(answer *Answer) bool {
	return answer.Unread() > r.answer.Unread() && r.doubts < 1 ||
		answer.Over && answer.Complete && r.story.waits() && r.doubts < 2
}

// take takes in what a look has found.
func (r *run) take(ctx context.Context, done looked) error {
	r.looking = false
	now := time.Now()
	if done.err != nil {
		if ctx.Err() == nil {
			r.trouble = done.err
			r.schedule.failure(now)
			r.showing = now
		}
		return nil
	}
	if r.answer != nil && ctx.Err() == nil && r.doubtful(done.answer) {
		r.doubts++
		r.schedule.again(now)
		return nil
	}
	if r.trouble != nil {
		r.showing = now
	}
	r.doubts, r.trouble = 0, nil
	if ctx.Err() != nil && r.answer != nil {
		return nil // it was broken off
	}
	differs := r.story.answer(now, done.answer)
	r.schedule.done(now, done.done.Sub(done.begun), differs, done.answer.until)
	r.answer, r.looked, r.fresh = done.answer, now, true
	scopes, all := scopesOf(r.options.ServedKinds, append(objectsOf(done.answer), r.story.waiting()...))
	r.schedule.blind = !r.watches.follow(ctx, scopes) || !all
	r.showing = now
	return nil
}

// over reports whether the watch has come to an end.
func (r *run) over(ctx context.Context) (End, bool) {
	switch {
	case ctx.Err() != nil:
		return Interrupted, true
	case r.answer.Over && !r.story.kept || r.story.targetsGone():
		return Gone, true
	case r.options.UntilStuck && r.answer.helpless():
		return Stuck, true
	case r.options.Timeout > 0 && time.Since(r.begun) >= r.options.Timeout:
		return TimedOut, true
	}
	return 0, false
}
