// Package session is what one run of a command reads of the cluster, as sparingly as it decides: objects,
// lists, scans, the admission configuration, a second look, and kubectl's words for commands.
//
// It reads through a cluster.Reader and remembers what it has read. It judges nothing.
//
// This package may change at any time.
package session

import (
	"context"
	"errors"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Session is what one run reads of the cluster. Nothing is read twice.
type Session struct {
	Reader  *cluster.CachedReader
	Kubectl Kubectl
	Owners  Owners
	Tabler  cluster.Tabler // nil if nothing prints objects as kubectl does
	// Foresees tells that the Reader answers as the cluster would while something is deleted that was not deleted yet.
	Foresees bool
	// Today is what the cluster is like now, if the Reader foresees; else nil.
	Today *Session
	// Deep allows reads of everything there is, where nothing narrower decides.
	Deep bool
	// Pause waits a while, or until ctx ends, before a second look. Tests change the cluster meanwhile.
	Pause func(ctx context.Context, length time.Duration) error
	// Moment is Pause for the one second look that a scan takes at all at once that may be passing. It may be nil:
	// none.
	Moment func(ctx context.Context, length time.Duration) error

	rules   cluster.Memo[struct{}, *AdmissionRules]
	surveys cluster.Memo[string, *Survey] // by the namespace in which what is forbidden elsewhere was listed
	typed   cluster.Memo[any, any]        // lists in their typed form, by typedList
	listed  cluster.Memo[kindIn, []*Object]
	// damaged is what was said of kinds that can't be read in their preferred version.
	damaged cluster.Memo[schema.GroupResource, string]

	asOf   func() time.Time
	mu     sync.Mutex
	census *census        // what one pass over an area has read, if it has been asked for
	looks  int            // second looks so far
	counts map[kindIn]int // how many objects a scan has seen where
}

// New returns the session of one run.
func New(reader cluster.Reader, kubectl Kubectl) *Session {
	cached := cluster.NewCachedReader(reader)
	asOf := sync.OnceValue(func() time.Time { return cached.Now().UTC().Truncate(time.Second) })
	s := &Session{Reader: cached, Kubectl: kubectl, Pause: pause, Moment: pause, asOf: asOf}
	s.Owners.session = s
	return s
}

// Read returns an object as far as mechanisms need it: whole where spec or status decide something, else its metadata.
func (s *Session) Read(ctx context.Context, resource cluster.Resource, namespace, name string) (*Object, error) {
	if !ReadWhole(resource.GroupKind()) {
		meta, err := s.Reader.Metadata(ctx, resource, namespace, name)
		if err != nil {
			return s.readStored(ctx, resource, namespace, name, err)
		}
		return FromMetadata(resource, meta), nil
	}
	whole, err := s.Reader.Get(ctx, resource, namespace, name)
	switch {
	case err == nil:
		return FromWhole(resource, whole)
	case cluster.NotRecorded(err):
		// What holds it is in its metadata; a mechanism that asks for more is told that it wasn't recorded.
		if meta, known := s.Reader.Metadata(ctx, resource, namespace, name); known == nil {
			return FromMetadata(resource, meta), nil
		}
	}
	if cluster.ServedByKubernetes(resource.Group) {
		return nil, err
	}
	return s.readStored(ctx, resource, namespace, name, err)
}

// Complete reads what of an object's holds isn't in its metadata: the finalizers in a Namespace's spec.
func (s *Session) Complete(ctx context.Context, object *Object) error {
	if !object.Is("", "Namespace") {
		return nil
	}
	_, err := s.Whole(ctx, object)
	return err
}

// ServedKinds returns what the cluster serves: nothing where discovery fails altogether.
func (s *Session) ServedKinds(ctx context.Context) *cluster.ServedKinds {
	servedKinds, err := s.Reader.ServedKinds(ctx)
	if err != nil {
		return &cluster.ServedKinds{}
	}
	return servedKinds
}

// Already reports whether what does not exist in what is foreseen does not exist now, either.
func (s *Session) Already(ctx context.Context, resource cluster.Resource, namespace, name string) bool {
	if s.Today == nil {
		return false
	}
	_, err := s.Today.Reader.Get(ctx, resource, namespace, name)
	return apierrors.IsNotFound(err)
}

// Whole returns an object's spec and status too. One of another uid is another object: this one is not found.
func (s *Session) Whole(ctx context.Context, object *Object) (*unstructured.Unstructured, error) {
	if object.Whole != nil {
		return object.Whole, nil
	}
	whole, err := s.Reader.Get(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	if err != nil {
		return nil, err
	}
	if object.Ref.UID != "" && string(whole.GetUID()) != object.Ref.UID {
		return nil, apierrors.NewNotFound(object.Resource.GroupResource(), object.Ref.Name)
	}
	object.Whole = whole
	return whole, nil
}

// List returns the metadata of all objects of a resource in a namespace, or in all, each once.
func (s *Session) List(ctx context.Context, resource cluster.Resource, namespace string) ([]*Object, error) {
	objects, err := listVersion(ctx, s.Reader, resource, namespace)
	if err != nil {
		return s.listStored(ctx, resource, namespace, err)
	}
	return objects, nil
}

func listVersion(
	ctx context.Context, reader *cluster.CachedReader, resource cluster.Resource, namespace string,
) ([]*Object, error) {
	seen := map[string]bool{}
	var objects []*Object
	err := reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
		if !seen[string(meta.UID)] { // a list that starts again visits its objects again
			objects = append(objects, FromMetadata(resource, meta))
		}
		seen[string(meta.UID)] = true
	})
	if apierrors.IsNotFound(err) {
		return nil, nil // the resource isn't served any more
	}
	return objects, err
}

// ReadAs reads an object whole, if perhaps only its name was known, and returns its typed form.
func ReadAs[T any](ctx context.Context, s *Session, object *Object) (*T, error) {
	whole, err := s.Whole(ctx, object)
	if err != nil {
		return nil, err
	}
	object.Ref.UID = string(whole.GetUID())
	return As[T](whole)
}

// WholeAs returns an object's typed form, or an answer that says why not: an object that has gone is held by nothing.
func WholeAs[T any](ctx context.Context, s *Session, object *Object) (*T, Answer) {
	typed, err := ReadAs[T](ctx, s, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil, Answer{}
	case err != nil:
		return nil, Unread(finding.UnreadObject(object.Ref), err)
	}
	return typed, Answer{}
}

// Now returns the time by the cluster's clock.
func (s *Session) Now() time.Time { return s.Reader.Now() }

// AsOf returns the time from which the ages in an answer count, as exact as Kubernetes' own times. It is the same
// throughout a run, however long that takes: nothing has two ages in one answer.
func (s *Session) AsOf() time.Time { return s.asOf() }

// Ago says how long ago a time was: 3h12m.
func (s *Session) Ago(t time.Time) string { return finding.Ago(s.AsOf(), t) }

// Deleted says since when something is being deleted: Terminating for 3h12m. What is only foreseen goes as well.
func (s *Session) Deleted(at time.Time) string {
	if s.DeletedThen(at) {
		return "would be deleted as well"
	}
	voice := finding.Voice{Now: s.AsOf(), Undated: s.Reader.Source() == cluster.FromUndated}
	return "Terminating for " + voice.Ago(at)
}

// DeletedThen reports whether a deletion is only foreseen, and not one that was requested before.
func (s *Session) DeletedThen(at time.Time) bool { return s.Foresees && s.AsOf().Sub(at) < time.Second }

// Since returns how long ago a deletion was requested. What people have copied without its time is what was there for
// long: nothing in it is taken for something that has just begun.
func (s *Session) Since(object *Object) time.Duration {
	since := s.Now().Sub(object.RequestedAt())
	if s.Reader.Source() == cluster.FromUndated {
		since = max(since, copied)
	}
	return since
}

// copied is for how long a deletion has lasted, as a rule, when people copy its objects.
const copied = time.Hour

// NoSecondLook is a Pause that keeps a session from looking twice: that takes seconds for each thing that is overdue.
func NoSecondLook(context.Context, time.Duration) error {
	return errors.New("nothing is looked at twice")
}

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
