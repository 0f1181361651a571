package session

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// secondLook is the time before the cluster is read again, mostLooks how often: the user waits for the answer.
const (
	secondLook = 2 * time.Second
	mostLooks  = 3
)

// Rest lets the cluster work for a moment. It answers false when there is no time for that, or when time doesn't help.
func (s *Session) Rest(ctx context.Context) bool {
	if !s.Reader.Source().Changes() {
		return false
	}
	s.mu.Lock()
	s.looks++
	allowed := s.looks <= mostLooks
	s.mu.Unlock()
	return allowed && s.Pause(ctx, secondLook) == nil
}

// LookAgain lets the cluster work for a moment, before a scan reads again what may have been passing. It answers false
// as Rest does.
func (s *Session) LookAgain(ctx context.Context) bool {
	return s.Moment != nil && s.Reader.Source().Changes() && s.Moment(ctx, secondLook) == nil
}

// Moved returns how kube-controller-manager has changed an object since it was first read, and what shows it, or nil.
func Moved(ctx context.Context, reader *cluster.CachedReader, object *Object) (*finding.Phrase, finding.Evidence) {
	if object.Meta == nil {
		return nil, finding.Evidence{}
	}
	details := finding.MovementDetails{Object: &object.Ref}
	now, err := reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if apierrors.IsNotFound(err) {
		gone := finding.Evidence{
			Source: "a second look", Observed: object.Ref.String() + " has gone", Object: &object.Ref,
		}
		return &finding.Phrase{Situation: "ObjectGone", Details: details}, gone
	}
	if err != nil || now.UID != object.Meta.UID || now.ResourceVersion == object.Meta.ResourceVersion {
		return nil, finding.Evidence{}
	}
	after := LastWrite(now, ControllerManager)
	if !after.After(LastWrite(object.Meta, ControllerManager)) {
		return nil, finding.Evidence{} // another program did
	}
	observed := ControllerManager + " wrote to it between two looks"
	written := finding.Evidence{Source: "managedFields", Observed: observed, Object: &object.Ref, At: &after}
	return &finding.Phrase{Situation: "ObjectWritten", Details: details}, written
}

// LastWrite is when a field manager last changed an object, or zero.
func LastWrite(meta *metav1.PartialObjectMetadata, manager string) (last time.Time) {
	for _, entry := range meta.ManagedFields {
		if entry.Manager == manager && entry.Time != nil && entry.Time.After(last) {
			last = entry.Time.Time
		}
	}
	return last
}

// isDone reports whether nothing is left to do about an object that still exists.
type isDone func(*metav1.PartialObjectMetadata) bool

// Falls takes a second look at some objects: whether fewer are left.
func (s *Session) Falls(ctx context.Context, objects []*Object, done isDone) (finding.Evidence, bool) {
	if len(objects) == 0 || !s.Rest(ctx) {
		return finding.Evidence{}, false
	}
	fewer, evidence := Fewer(ctx, s.Reader, objects, done)
	return evidence, fewer != nil
}

// Fewer returns how many fewer of some objects are left than at first, not gone or done; nil where none is.
func Fewer(
	ctx context.Context, reader *cluster.CachedReader, objects []*Object, done isDone,
) (*finding.Phrase, finding.Evidence) {
	left, before, err := left(ctx, reader, objects, done)
	if err != nil || left >= before {
		return nil, finding.Evidence{}
	}
	fewer := finding.Phrase{Situation: "FewerLeft", Details: finding.MovementDetails{Left: left, Before: before}}
	return &fewer, finding.Evidence{Source: "a second look", Observed: finding.Voice{}.Phrase(fewer)}
}

// left counts the objects that still exist and aren't done with, past everything remembered, and how many there were:
// each once, however often it is among them.
func left(
	ctx context.Context, reader *cluster.CachedReader, objects []*Object, done isDone,
) (left, before int, err error) {
	known, listed := map[string]bool{}, map[kindIn]bool{}
	for _, object := range objects {
		known[object.Ref.UID] = true
	}
	before = len(known)
	for _, object := range objects {
		at := kindIn{object.Resource.String(), object.Ref.Namespace}
		if listed[at] {
			continue
		}
		listed[at] = true
		count := func(meta *metav1.PartialObjectMetadata) {
			if known[string(meta.UID)] && !done(meta) {
				left++
			}
			delete(known, string(meta.UID)) // a list that starts again visits its objects again
		}
		err := reader.Fresh().EachMetadata(ctx, object.Resource, object.Ref.Namespace, cluster.Selector{}, count)
		if err != nil && !apierrors.IsNotFound(err) {
			return 0, before, err
		}
	}
	return left, before, nil
}

// Deleted is what makes an object done with where it is to be deleted.
func Deleted(meta *metav1.PartialObjectMetadata) bool { return meta.DeletionTimestamp != nil }
