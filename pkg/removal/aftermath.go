package removal

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// read returns the object under the item's name as it is now, nil when there is none.
func read(ctx context.Context, reader cluster.Reader, one *item) (*metav1.PartialObjectMetadata, error) {
	object := one.seen.object
	meta, err := reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return meta, err
}

// afterwards is a context for finding out what became of a write: a user who has interrupted the program wants to know
// this too, and soon.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	const patience = 5 * time.Second
	return context.WithTimeout(cluster.Finishing(ctx), patience)
}

// vanished reports whether the object that was meant is gone, and records it.
func vanished(ctx context.Context, reader cluster.Reader, one *item) bool {
	meta, err := read(ctx, reader, one)
	switch {
	case err != nil:
		return false
	case meta == nil && one.goneAs() == result.NotNeeded:
		return one.end(result.NotNeeded, finding.Finding{Situation: "WentByItself"})
	case meta == nil:
		return one.end(result.Gone, finding.Finding{Situation: "IsGone"})
	case string(meta.UID) != one.seen.object.Ref.UID:
		return one.replaced(session.FromMetadata(one.seen.object.Resource, meta).Ref)
	}
	return false
}

// survived finds out what became of a write that was answered with an error, by looking. It answers true
// when the write was carried out after all, or isn't needed any more.
func survived(ctx context.Context, reader cluster.Reader, one *item, sent *step, err error) bool {
	sent.view.Error = err.Error()
	ctx, cancel := afterwards(ctx)
	defer cancel()
	answered := slices.ContainsFunc([]func(error) bool{
		apierrors.IsConflict, apierrors.IsNotFound, apierrors.IsForbidden, apierrors.IsInvalid, apierrors.IsBadRequest,
		apierrors.IsTooManyRequests,
	}, func(is func(error) bool) bool { return is(err) })
	if answered && vanished(ctx, reader, one) {
		return true
	}
	details := finding.RemovalDetails{Said: err.Error(), Right: sent.right()}
	switch {
	case apierrors.IsConflict(err):
		return one.end(result.Failed, finding.Finding{Situation: "ChangedBeforeWrite"})
	case rights(err):
		return one.end(result.Failed, finding.Finding{Situation: "WriteForbidden", Details: details})
	case answered:
		return one.end(result.Failed, finding.Finding{Situation: "WriteRefused", Details: details})
	}
	// no answer came: what it did shows at the object
	meta, readErr := read(ctx, reader, one)
	switch {
	case readErr != nil:
		details.Failed, details.Said = err.Error(), readErr.Error()
		return one.end(result.Unknown, finding.Finding{Situation: "WriteUnanswered", Details: details})
	case meta == nil:
		sent.view.Done = true
		return one.end(result.Gone, finding.Finding{Situation: "GoneWithoutAnswer"})
	case string(meta.UID) != one.ref().UID:
		sent.view.Done = true
		return one.replaced(session.FromMetadata(one.seen.object.Resource, meta).Ref)
	case meta.ResourceVersion == sent.view.Before:
		return one.end(result.Failed, finding.Finding{Situation: "WriteFailed", Details: details})
	}
	return one.end(result.Unknown, finding.Finding{Situation: "ChangedWithoutAnswer", Details: details})
}

const pollInterval = 250 * time.Millisecond

func poll(ctx context.Context, reader cluster.Reader, one *item, timeout time.Duration) bool {
	gone := func(context.Context) (bool, error) { return vanished(ctx, reader, one), nil }
	return wait.PollUntilContextTimeout(ctx, pollInterval, timeout, true, gone) == nil
}

// settling is how long an object is waited for that something else still holds, as the plan said: who that is may
// have waited for nothing but this.
const settling = 2 * time.Second

// await waits until the object is gone, and otherwise says what still holds it. Where the plan knew of something that
// would, it waits for more than a moment only while that one is at work.
func (r *Remover) await(ctx context.Context, one *item) bool {
	if one.view.Outcome == result.Gone {
		return true
	}
	timeout := r.Options.Timeout
	if !r.Options.Wait {
		timeout = 0
	}
	waits := []time.Duration{timeout}
	if short := min(settling, timeout); len(one.view.Remains) > 0 {
		waits = []time.Duration{short, timeout - short}
	}
	var now *look
	var err error
	var waited time.Duration
	for _, next := range waits {
		if waited += next; poll(ctx, r.Reader, one, next) {
			return true
		}
		if ctx.Err() != nil {
			ctx, cancel := afterwards(ctx)
			defer cancel()
			return vanished(ctx, r.Reader, one) || one.end(result.StillHeld, finding.Finding{Situation: "WaitInterrupted"})
		}
		if !r.Options.Wait {
			return one.end(result.Written, finding.Finding{Situation: "NotWaitedFor"})
		}
		if now, err = r.look(ctx, one.target); err != nil || now.diagnosis.Verdict != result.Progressing {
			break
		}
	}
	return remained(ctx, r.Reader, one, now, err, waited)
}

// remained says what holds an object that did not go in time, by one more look at it. It answers whether to continue.
func remained(ctx context.Context, reader cluster.Reader, one *item, now *look, err error, waited time.Duration) bool {
	var details finding.RemovalDetails
	switch {
	case err != nil && vanished(ctx, reader, one):
		return true
	case err != nil && ctx.Err() != nil:
		return one.end(result.StillHeld, finding.Finding{Situation: "WaitInterrupted"})
	case err != nil:
		details.Said = err.Error()
		return one.end(result.StillHeld, finding.Finding{Situation: "RemainderUnknown", Details: details})
	case now.object.Ref.UID != one.ref().UID:
		return one.replaced(now.object.Ref)
	}
	one.view.After = now.diagnosis
	details = finding.RemovalDetails{
		Holds: now.object.Holds(), Seconds: now.object.GraceSeconds(), After: waited.String(),
		Said: now.diagnosis.Summary,
	}
	if len(details.Holds) > 0 && len(without(details.Holds, one.view.Remains)) == 0 {
		one.asPlanned = true
		one.end(result.StillHeld, finding.Finding{Situation: "DoneAsPlanned", Details: details})
		return true
	}
	// Entries that are back were put there by another DELETE: nothing else can
	// (docs/deletion.md#a-removed-finalizer-and-the-next-reconcile).
	for _, hold := range details.Holds {
		if slices.Contains(one.entries, hold) {
			details.Names = append(details.Names, hold.Name)
		}
	}
	if len(details.Names) > 0 {
		return one.end(result.StillHeld, finding.Finding{Situation: "SetAgain", Details: details})
	}
	return one.end(result.StillHeld, finding.Finding{Situation: "HeldByMore", Details: details})
}
