package mechanism

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// secondLook is how long the cluster is left alone before it is read again, and mostLooks how often
// one diagnosis does that: somebody waits for the answer.
const (
	secondLook = 2 * time.Second
	mostLooks  = 3
)

// pause waits, or returns earlier with ctx.
func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// rest lets the cluster work for a moment. It answers false when there is no time for that, or when
// time doesn't help.
func (w *World) rest(ctx context.Context) bool {
	if cluster.Still(w.Reader) {
		return false // nothing moves in a recording
	}
	w.mu.Lock()
	w.looks++
	allowed := w.looks <= mostLooks
	w.mu.Unlock()
	return allowed && w.Pause(ctx, secondLook) == nil
}

// lookAgain tells an overdue duty that is being done from one that isn't, by what has changed a
// moment later: fewer objects are left, or the controller has written to the object itself
// (deletion-mechanics D-1). It answers false when nothing has.
func (w *World) lookAgain(ctx context.Context, duty duty) (Answer, bool) {
	if !w.rest(ctx) {
		return Answer{}, false
	}
	seen, evidence := "", graph.Evidence{}
	if left, fell := w.fewer(ctx, duty.remaining, duty.done); fell {
		seen, evidence = left.Observed, left
	} else if seen, evidence = w.moved(ctx, duty.object); seen == "" {
		return Answer{}, false
	}
	return progress(Note{
		Message:  fmt.Sprintf("%s is at work: it has yet to %s, and a second look shows movement (%s).", controllerManager, duty.what, seen),
		Awaited:  fmt.Sprintf("%s to %s, which is at work (%s)", controllerManager, duty.what, seen),
		Evidence: append([]graph.Evidence{evidence}, w.leaseEvidence(ctx)...),
	}), true
}

// moved says how an object has changed by kube-controller-manager's hand since it was first read, or
// nothing.
func (w *World) moved(ctx context.Context, object *Object) (string, graph.Evidence) {
	if object.Meta == nil {
		return "", graph.Evidence{}
	}
	now, err := w.Reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if apierrors.IsNotFound(err) {
		return "it has gone", graph.Evidence{Source: "a second look", Observed: object.Ref.String() + " has gone", Object: &object.Ref}
	}
	if err != nil || now.UID != object.Meta.UID || now.ResourceVersion == object.Meta.ResourceVersion {
		return "", graph.Evidence{}
	}
	after := lastWrite(now, controllerManager)
	if !after.After(lastWrite(object.Meta, controllerManager)) {
		return "", graph.Evidence{} // somebody else did
	}
	seen := fmt.Sprintf("it has just written to %s", object.Ref)
	return seen, graph.Evidence{Source: "managedFields", Observed: controllerManager + " wrote to it between two looks", Object: &object.Ref, At: &after}
}

// lastWrite is when a field manager last changed an object, or zero.
func lastWrite(meta *metav1.PartialObjectMetadata, manager string) (last time.Time) {
	for _, entry := range meta.ManagedFields {
		if entry.Manager == manager && entry.Time != nil && entry.Time.After(last) {
			last = entry.Time.Time
		}
	}
	return last
}

// falls takes a second look at some objects: whether fewer are left.
func (w *World) falls(ctx context.Context, objects []*Object, done func(*metav1.PartialObjectMetadata) bool) (graph.Evidence, bool) {
	if len(objects) == 0 || !w.rest(ctx) {
		return graph.Evidence{}, false
	}
	return w.fewer(ctx, objects, done)
}

// fewer tells whether fewer of some objects are left than when they were first read: the rest are
// gone, or done with.
func (w *World) fewer(ctx context.Context, objects []*Object, done func(*metav1.PartialObjectMetadata) bool) (graph.Evidence, bool) {
	left, err := w.left(ctx, objects, done)
	if err != nil || left >= len(objects) {
		return graph.Evidence{}, false
	}
	return graph.Evidence{
		Source: "a second look", Observed: fmt.Sprintf("%d left, %d two seconds ago", left, len(objects)),
	}, true
}

// left counts the objects that still exist and aren't done with, past everything remembered.
func (w *World) left(ctx context.Context, objects []*Object, done func(*metav1.PartialObjectMetadata) bool) (int, error) {
	type place struct{ resource, namespace string }
	known, listed, left := map[string]bool{}, map[place]bool{}, 0
	for _, object := range objects {
		known[object.Ref.UID] = true
	}
	for _, object := range objects {
		at := place{object.Resource.String(), object.Ref.Namespace}
		if listed[at] {
			continue
		}
		listed[at] = true
		err := w.Reader.Fresh().EachMetadata(ctx, object.Resource, object.Ref.Namespace, cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
			if known[string(meta.UID)] && !done(meta) {
				left++
			}
			delete(known, string(meta.UID)) // a list that starts again visits its objects again
		})
		if err != nil && !apierrors.IsNotFound(err) {
			return 0, err
		}
	}
	return left, nil
}

// deleted is what makes an object done with where it is to be deleted.
func deleted(meta *metav1.PartialObjectMetadata) bool { return meta.DeletionTimestamp != nil }
