package cluster

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// polled is a Reader of one object, that changes with time.
type polled struct {
	Reader
	reads int
	at    func(since time.Duration) (*metav1.PartialObjectMetadata, error)
	begun time.Time
}

func (p *polled) Metadata(context.Context, Resource, string, string) (*metav1.PartialObjectMetadata, error) {
	p.reads++
	return p.at(time.Since(p.begun))
}

func forbidden() error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "one", errors.New("no"))
}

// TestPoll reads what may not be watched for an hour: soon again after what holds it has changed, else once in a
// minute.
func TestPoll(t *testing.T) {
	object := func(version string, finalizers ...string) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			UID: "1", ResourceVersion: version, Finalizers: finalizers,
		}}
	}
	for _, c := range []struct {
		name  string
		at    func(time.Duration) (*metav1.PartialObjectMetadata, error)
		told  []int // how many objects, each time
		most  int
		fails bool
	}{
		{"nothing changes", func(time.Duration) (*metav1.PartialObjectMetadata, error) {
			return object("1", "a/b"), nil
		}, []int{1}, 65, false},
		{"it goes", func(since time.Duration) (*metav1.PartialObjectMetadata, error) {
			if since > 30*time.Minute {
				return nil, apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, "one")
			}
			return object("1", "a/b"), nil
		}, []int{1, 0}, 70, false},
		{"a finalizer goes", func(since time.Duration) (*metav1.PartialObjectMetadata, error) {
			if since > 30*time.Minute {
				return object("2"), nil
			}
			return object("1", "a/b"), nil
		}, []int{1, 1}, 70, false},
		{"it is written all the time", func(since time.Duration) (*metav1.PartialObjectMetadata, error) {
			return object(since.String(), "a/b"), nil
		}, nil, 65, false},
		{"the server is away for a while", func(since time.Duration) (*metav1.PartialObjectMetadata, error) {
			if since > time.Minute && since < 2*time.Minute {
				return nil, errors.New("connection refused")
			}
			return object("1", "a/b"), nil
		}, []int{1}, 80, false},
		{"it may not be read either", func(time.Duration) (*metav1.PartialObjectMetadata, error) {
			return nil, forbidden()
		}, nil, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				reader := &polled{at: c.at, begun: time.Now()}
				var told []int
				err := poll(ctx, reader, Scope{Namespace: "shop", Name: "one"}, func(sighting Sighting) {
					told = append(told, len(sighting.Objects))
					if !sighting.All {
						t.Error("a sighting doesn't say that it is about all there are")
					}
				})
				if c.fails != (err != nil) || reader.reads > c.most {
					t.Errorf("%d reads in an hour, want at most %d; error %v", reader.reads, c.most, err)
				}
				if c.told != nil && !slices.Equal(told, c.told) {
					t.Errorf("it told of %v objects, want %v", told, c.told)
				}
			})
		})
	}
}

// TestWatchAgain ends where a watch is refused, and nowhere else.
func TestWatchAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		err := watchAgain(t.Context(), func(context.Context) error {
			calls++
			if calls < 20 {
				return []error{
					nil, errors.New("broken"), apierrors.NewResourceExpired("too old"),
					apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, ""),
				}[calls%4]
			}
			return forbidden()
		})
		if !apierrors.IsForbidden(err) || calls != 20 {
			t.Errorf("it ended with %v after %d calls", err, calls)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		calls = 0
		err = watchAgain(ctx, func(context.Context) error {
			calls++
			return errors.New("broken")
		})
		if err != nil || calls < 3 || calls > 10 {
			t.Errorf("in a minute without a server it asked %d times: %v", calls, err)
		}
	})
}
