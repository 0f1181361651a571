package removal

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostTries is how often a write is tried to an object that changes because of what the plan did to
// others. To all other objects it is tried once: they should not change.
const mostTries = 3

// carryOut removes an item's entries, write by write, and waits for it to go. It answers false after a surprise, at
// which everything stops.
func (r *Remover) carryOut(ctx context.Context, plan *Plan, one *item) bool {
	if one.view.Outcome == result.NotNeeded { // it went before it was saved
		return true
	}
	ownWrite := ""
	for _, planned := range one.steps {
		for try := 1; ; try++ {
			if ctx.Err() != nil {
				return one.end(result.Failed, *interruptedBefore(planned))
			}
			last := len(one.awaits) == 0 || try == mostTries
			ready, done := r.ready(ctx, plan, one, planned, ownWrite, last)
			switch {
			case done:
				return true
			case ready == nil && !plan.refused():
				continue // it has changed, as was to be expected
			case ready == nil:
				return false
			}
			if len(without(planned.holds, ready.object.Holds())) == len(planned.holds) {
				break // removed meanwhile by the controller that waited for the others
			}
			planned.view.Before = ready.object.Meta.ResourceVersion
			// a write that has begun is finished, so that its end is known
			written, err := planned.send(cluster.Finishing(ctx), r.Writer, ready, false)
			version := written.ResourceVersion
			if apierrors.IsConflict(err) && !last {
				continue
			}
			if err != nil && !survived(ctx, r.Reader, one, planned, err) {
				return false
			}
			if one.view.Outcome == result.NotNeeded || one.view.Outcome == result.Gone {
				return true
			}
			planned.view.Done, planned.view.After = true, version
			if version == planned.view.Before { // what came back is the object that went
				planned.view.After = ""
			}
			if err := planned.deviates(ready, written); err != nil {
				planned.view.Error = err.Error()
				return one.end(result.Failed, finding.Finding{
					Situation: "WriteDeviates", Details: finding.RemovalDetails{Said: err.Error()},
				})
			}
			one.seen, ownWrite = ready, version
			break
		}
	}
	return r.await(ctx, one)
}

// ready passes the sixth and the seventh guard right before a write, and returns the state that the write is for. done
// says that the object is gone without it. Unless it is the last try, a conflict is no refusal.
func (r *Remover) ready(
	ctx context.Context, plan *Plan, one *item, planned *step, ownWrite string, last bool,
) (state *look, done bool) {
	state = one.seen
	if ownWrite != "" || len(one.awaits) > 0 { // what the plan did has changed it
		if state, done = r.lookAgain(ctx, plan, one, planned, ownWrite); state == nil {
			return nil, done
		}
	}
	if err := try(ctx, r.Writer, planned, state); apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		if gone := vanished(ctx, r.Reader, one); gone || !last {
			return nil, gone
		}
	}
	r.noteLifted(ctx, planned)
	if refused := tried(planned); refused != nil {
		return nil, plan.note(guardTried, refused, one)
	}
	now, done := r.lookAgain(ctx, plan, one, planned, ownWrite)
	if now != nil && !last && now.object.Meta.ResourceVersion != state.object.Meta.ResourceVersion {
		return nil, false
	}
	return now, done
}

func (r *Remover) lookAgain(
	ctx context.Context, plan *Plan, one *item, planned *step, ownWrite string,
) (state *look, done bool) {
	now, err := r.look(ctx, one.target)
	var gone *session.GoneError
	switch {
	case ctx.Err() != nil: // then the diagnosis is half a one
		return nil, plan.note(guardUnchanged, interruptedBefore(planned), one)
	case err == nil && now.object.Ref.UID != one.seen.object.Ref.UID:
		return nil, one.replaced(now.object.Ref)
	case apierrors.IsNotFound(err) || errors.As(err, &gone):
		return nil, vanished(ctx, r.Reader, one)
	case err != nil:
		return nil, plan.note(guardUnchanged, &finding.Finding{
			Situation: "NotDiagnosedAgain", Object: one.ref(), Details: finding.RemovalDetails{Said: err.Error()},
		}, one)
	}
	// one that waited for others of the plan may be on its way now that they are gone
	verdict := now.diagnosis.Verdict
	if len(one.awaits) > 0 && verdict == result.Progressing && verdict != one.seen.diagnosis.Verdict {
		progress(r.Progress, "%s is now being removed by its controller; waiting for it", one.seen.object.Ref)
		if poll(ctx, r.Reader, one, r.Options.Timeout) {
			return nil, true
		}
	}
	if !plan.note(guardUnchanged, r.unchanged(one, planned, now, ownWrite), one) {
		return nil, false
	}
	return now, false
}

func interruptedBefore(planned *step) *finding.Finding {
	request := planned.request()
	return &finding.Finding{Situation: "InterruptedBefore", Details: finding.RemovalDetails{Request: &request}}
}

// end records what became of an item. It answers whether to continue.
func (i *item) end(outcome result.RemovalOutcome, how finding.Finding) bool {
	how.Object = i.ref()
	i.view.Outcome, i.view.Message = outcome, i.voice.Message(how)
	return outcome == result.Gone || outcome == result.NotNeeded || outcome == result.Written
}

// replaced records that another object is under the name: the one that was meant is gone.
func (i *item) replaced(successor finding.Ref) bool {
	i.view.Successor = &successor
	return i.end(i.goneAs(),
		finding.Finding{Situation: "WasReplaced", Details: finding.RemovalDetails{Other: &successor}})
}

func (i *item) wrote() bool {
	return slices.ContainsFunc(i.steps, func(s *step) bool { return s.view.Done })
}

func (i *item) goneAs() result.RemovalOutcome {
	if i.wrote() {
		return result.Gone
	}
	return result.NotNeeded
}
