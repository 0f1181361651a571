package follow

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// happened has what the story tells shown soon.
func (r *run) happened() {
	if len(r.story.pending) > 0 && r.showing.IsZero() {
		r.showing = later(time.Now().Add(settle), r.shown.Add(together))
	}
}

func (r *run) show() error {
	now := time.Now()
	beat := r.options.View.Beat()
	due := !r.showing.IsZero() && !now.Before(r.showing)
	if !due && (beat == 0 || now.Before(r.shown.Add(beat))) {
		return nil
	}
	if !due {
		return r.options.View.Show(r.moment(nil))
	}
	return r.options.View.Show(r.moment(r.story.tellings()))
}

// moment is how it stands now.
func (r *run) moment(tellings []result.Change) Moment {
	now := time.Now()
	if len(r.story.pending) == 0 {
		r.showing = time.Time{}
	}
	r.shown = now
	r.story.pace.note(now, r.story.left())
	moment := Moment{
		At: now, Answer: r.answer, Fresh: r.fresh, Changes: tellings, Progress: r.story.pace.progress(now),
		Looked: r.looked, Trouble: r.trouble,
	}
	r.fresh = false
	return moment
}

// wake is when something has to be done even if nothing happens.
func (r *run) wake() time.Time {
	next := time.Now().Add(lastIdle)
	if !r.looking {
		next = r.schedule.next()
	}
	times := []time.Time{r.showing}
	if r.options.Timeout > 0 {
		times = append(times, r.begun.Add(r.options.Timeout))
	}
	if beat := r.options.View.Beat(); beat > 0 {
		times = append(times, r.shown.Add(beat))
	}
	for _, one := range times {
		if !one.IsZero() && one.Before(next) {
			next = one
		}
	}
	return next
}
