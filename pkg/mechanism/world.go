package mechanism

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// World is what mechanisms see of the cluster during one diagnosis.
type World struct {
	Reader  *cluster.Memo
	Plugins *plugins.Set
	Kubectl Kubectl
	// Prober is nil unless the user wants the needed writes sent as dry runs.
	Prober cluster.Prober
	// Reviewer is nil unless the user wants probes.
	Reviewer cluster.Reviewer
	// Tabler is nil where nobody prints objects as kubectl does.
	Tabler cluster.Tabler

	evaluator *admission.Evaluator
	// Deep allows reads of everything there is, where nothing narrower decides.
	Deep bool
	// Pause waits a while, or until ctx ends, before a second look. Tests change the cluster meanwhile.
	Pause func(ctx context.Context, length time.Duration) error

	looks   int // second looks so far
	mu      sync.Mutex
	indexes map[part]func() (*ownerIndex, error)
	rules   func() *admissionRules
	grants  func() (*controller.Grants, error)
	fields  map[string]int                  // objects by kind that were read whole only to name what they stand for
	read    map[string]bool                 // namespaces by kind in which custom resources were read as a whole
	probes  int                             // sent so far
	damaged map[schema.GroupResource]string // what was said of kinds that can't be read in their preferred version
	// everywhere are objects by resource and uid, of kinds that were looked through for an owner.
	everywhere map[string]map[string]*Object
}

// NewWorld returns the world of one diagnosis.
func NewWorld(reader cluster.Reader, known *plugins.Set, kubectl Kubectl) *World {
	return &World{Reader: cluster.NewMemo(reader), Plugins: known, Kubectl: kubectl, evaluator: admission.NewEvaluator(), Pause: pause}
}

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
	if err != nil && custom(resource.Group) {
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
	if !object.is("", "Namespace") {
		return nil
	}
	_, err := w.Whole(ctx, object)
	return err
}

// Unread is the answer for an object of which the holds could not be read.
func Unread(object *Object, err error) Answer { return unread(object.Ref.String(), err) }

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

// list returns the metadata of all objects of a resource in a namespace, or in all, each once.
func (w *World) list(ctx context.Context, resource cluster.Resource, namespace string) ([]*Object, error) {
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

// wholeAs returns an object's typed form. Without one, the answer says why: an object that has gone
// in the meantime is held by nothing.
func wholeAs[T any](ctx context.Context, w *World, object *Object) (*T, Answer) {
	whole, err := w.Whole(ctx, object)
	if apierrors.IsNotFound(err) {
		return nil, Answer{}
	}
	if err != nil {
		return nil, unread(object.Ref.String(), err)
	}
	typed, err := as[T](whole)
	if err != nil {
		return nil, unread(object.Ref.String(), err)
	}
	return typed, Answer{}
}

// Now returns the time by the cluster's clock.
func (w *World) Now() time.Time { return w.Reader.Now() }

// ago says how long ago a time was: 3h12m.
func (w *World) ago(t time.Time) string { return duration.HumanDuration(max(0, w.Now().Sub(t))) }

// since returns how long a deletion has been going on.
func (w *World) since(object *Object) time.Duration { return w.Now().Sub(object.RequestedAt()) }

// unread returns the answer for a read that failed: nothing follows from it. The error itself is
// part of the result's unreadable list.
func unread(what string, err error, evidence ...graph.Evidence) Answer {
	why, advice := "that failed", ""
	switch {
	case apierrors.IsForbidden(err):
		why, advice = "you may not do that", " Ask somebody who may to run the same command."
	case errors.Is(err, context.Canceled):
		why = "the look was interrupted"
	}
	answer := open(Note{
		Message:  fmt.Sprintf("What it waits for can't be told without reading %s, and %s.%s", what, why, advice),
		Awaited:  fmt.Sprintf("something that can't be told without reading %s, and %s", what, why),
		Evidence: evidence,
	})
	answer.settled = true // what refuses a write matters once it is known that the write is due
	return answer
}
