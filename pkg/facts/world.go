// Package facts is what one diagnosis sees of the cluster, read as sparingly as it decides, and the words
// in which findings are told: answers, notes and waits.
//
// It reads through a cluster.Reader and judges nothing but whether kube-controller-manager runs, on which
// almost every other answer rests. Rooms above it embed its World and add what they can tell.
package facts

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// World is what can be seen of the cluster during one diagnosis. Nothing in it is read twice.
type World struct {
	Reader  *cluster.CachedReader
	Plugins *plugins.Set
	Kubectl Kubectl
	// Tabler is nil where nobody prints objects as kubectl does.
	Tabler cluster.Tabler
	// Deep allows reads of everything there is, where nothing narrower decides.
	Deep bool
	// Pause waits a while, or until ctx ends, before a second look. Tests change the cluster meanwhile.
	Pause func(ctx context.Context, length time.Duration) error

	mu      sync.Mutex
	looks   int // second looks so far
	indexes map[Part]func() (*ownerIndex, error)
	crowds  map[crowd]int                   // how many objects a survey has seen where
	typed   map[any]any                     // lists in their typed form, by typedList
	damaged map[schema.GroupResource]string // what was said of kinds that can't be read in their preferred version
}

// NewWorld returns the world of one diagnosis.
func NewWorld(reader cluster.Reader, known *plugins.Set, kubectl Kubectl) *World {
	return &World{Reader: cluster.NewCachedReader(reader), Plugins: known, Kubectl: kubectl, Pause: pause}
}

// Floor is the World of any room above, which embeds this one.
type Floor interface{ Seen() *World }

// Seen returns the world as it was read.
func (w *World) Seen() *World { return w }

// Read returns an object as far as mechanisms need it: whole for the kinds whose spec or status
// decides something, else its metadata.
func (w *World) Read(ctx context.Context, resource cluster.Resource, namespace, name string) (*Object, error) {
	if !ReadWhole(resource.GroupKind()) {
		meta, err := w.Reader.Metadata(ctx, resource, namespace, name)
		if err != nil {
			return w.readStored(ctx, resource, namespace, name, err)
		}
		return FromMetadata(resource, meta), nil
	}
	whole, err := w.Reader.Get(ctx, resource, namespace, name)
	if err != nil && !cluster.ServedByKubernetes(resource.Group) {
		// What holds it is in its metadata; a mechanism that asks for more is told that it wasn't recorded.
		if cluster.NotRecorded(err) {
			if meta, known := w.Reader.Metadata(ctx, resource, namespace, name); known == nil {
				return FromMetadata(resource, meta), nil
			}
		}
		return w.readStored(ctx, resource, namespace, name, err)
	}
	if err != nil {
		return nil, err
	}
	return FromWhole(resource, whole)
}

// Complete reads what of an object its holds rest on and was not read with its metadata: the spec of
// a Namespace, which has a list of finalizers of its own.
func (w *World) Complete(ctx context.Context, object *Object) error {
	if !object.Is("", "Namespace") {
		return nil
	}
	_, err := w.Whole(ctx, object)
	return err
}

// Whole returns an object's spec and status along with its metadata. An object of another uid under
// the same name is another object: this one is not found.
func (w *World) Whole(ctx context.Context, object *Object) (*unstructured.Unstructured, error) {
	if object.Whole != nil {
		return object.Whole, nil
	}
	whole, err := w.Reader.Get(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
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
func (w *World) List(ctx context.Context, resource cluster.Resource, namespace string) ([]*Object, error) {
	objects, err := w.listVersion(ctx, resource, namespace)
	if err != nil {
		return w.listStored(ctx, resource, namespace, err)
	}
	return objects, nil
}

func (w *World) listVersion(ctx context.Context, resource cluster.Resource, namespace string) ([]*Object, error) {
	seen := map[string]bool{}
	var objects []*Object
	err := w.Reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
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

// WholeAs returns an object's typed form. Without one, the answer says why: an object that has gone
// in the meantime is held by nothing.
func WholeAs[T any](ctx context.Context, floor Floor, object *Object) (*T, Answer) {
	w := floor.Seen()
	whole, err := w.Whole(ctx, object)
	if apierrors.IsNotFound(err) {
		return nil, Answer{}
	}
	if err != nil {
		return nil, Unread(object.Ref.String(), err)
	}
	typed, err := As[T](whole)
	if err != nil {
		return nil, Unread(object.Ref.String(), err)
	}
	return typed, Answer{}
}

// Now returns the time by the cluster's clock.
func (w *World) Now() time.Time { return w.Reader.Now() }

// Ago says how long ago a time was: 3h12m.
func (w *World) Ago(t time.Time) string { return duration.HumanDuration(max(0, w.Now().Sub(t))) }

// Since returns how long a deletion has been going on.
func (w *World) Since(object *Object) time.Duration { return w.Now().Sub(object.RequestedAt()) }

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
