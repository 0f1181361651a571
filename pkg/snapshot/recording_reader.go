package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// ServedKinds implements cluster.Reader. Each caller gets ones of its own: they remember what was asked.
func (r *Recording) ServedKinds(ctx context.Context) (*cluster.ServedKinds, error) {
	return catalogFromLine(r.catalog), ctx.Err()
}

// Get implements cluster.Reader. If the recorded read failed, it returns that failure. If only the metadata was
// recorded, or the object was not requested, it returns an error that cluster.NotRecorded knows.
func (r *Recording) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	return get[unstructured.Unstructured](ctx, r, resource, whole, objectKey{namespace, name})
}

// Metadata implements cluster.Reader. It fails as Get does, and finds objects in whichever version they were recorded.
func (r *Recording) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	return get[metav1.PartialObjectMetadata](ctx, r, resource, metadata, objectKey{namespace, name})
}

// List implements cluster.Reader. Where the list as such was not recorded, it returns what objects were, and the error.
func (r *Recording) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) (found []unstructured.Unstructured, err error) {
	err = each(ctx, r, resource, whole, namespace, selector, func(object *unstructured.Unstructured) {
		found = append(found, *object)
	})
	return found, err
}

// ListUpTo implements cluster.Reader: it visits nothing, because a part of a list would pass for the whole.
func (*Recording) ListUpTo(
	context.Context, cluster.Resource, string, int, func(*unstructured.Unstructured),
) (bool, error) {
	return false, nil
}

// EachMetadata implements cluster.Reader. Like List, it knows of objects whose list is incomplete.
func (r *Recording) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	return each(ctx, r, resource, metadata, namespace, selector, func(meta *metav1.PartialObjectMetadata) {
		handOn(meta, selector.Keep, visit)
	})
}

// decoded is what an object is decoded into: T is its struct.
type decoded[T any] interface {
	*T
	metav1.Object
}

func get[T any, P decoded[T]](
	ctx context.Context, r *Recording, resource cluster.Resource, form form, key objectKey,
) (P, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	shelf := r.find(resource, form, key)
	if body := shelf.body(key, form); !body.isNone() {
		return decode[T, P](resource, key, body.Bytes())
	}
	return nil, shelf.without(resource, key, form)
}

// each visits the objects of a list in a form, and returns why there may be more.
func each[T any, P decoded[T]](
	ctx context.Context, r *Recording, resource cluster.Resource, form form, namespace string,
	selector cluster.Selector,
	visit func(P),
) error {
	selected, err := selects(selector)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	shelf := r.find(resource, form, objectKey{namespace: namespace})
	incomplete := shelf.read(resource, form, namespace, selector)
	order := shelf.order
	if incomplete != nil && !cluster.NotRecorded(incomplete) {
		last, narrowed := shelf.last[readKey{objectKey{namespace: namespace}, form, selector}]
		if !narrowed {
			return incomplete
		}
		order = []objectKey{last} // of the ones that were read before the failure
	}
	for _, key := range order {
		held := shelf.body(key, form)
		if namespace != "" && key.namespace != namespace || held.isNone() { // read on its own, and no part of the list
			continue
		}
		body := held.Bytes()
		is, err := selected(body)
		if err != nil {
			return damaged(resource, key, err)
		}
		if is {
			object, err := decode[T, P](resource, key, body)
			if err != nil {
				return err
			}
			visit(object)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return incomplete
}

// find returns what is held of a resource. Metadata is the same in all versions of it; an object's spec is not.
func (r *Recording) find(resource cluster.Resource, form form, key objectKey) *shelf {
	if found := r.places[placeOf(resource)]; found != nil {
		return found
	}
	if form == metadata {
		for _, other := range r.versions[resource.GroupResource()] {
			shelf := r.places[other]
			if !shelf.body(key, metadata).isNone() ||
				key.name == "" && shelf.read(resource, metadata, key.namespace, cluster.Selector{}) == nil {
				return shelf
			}
		}
	}
	return &shelf{}
}

// body returns an object in a form; for its metadata, in the newest form that has it.
func (s *shelf) body(key objectKey, wanted form) Body {
	if body := s.metadata[key]; !body.isNone() && wanted == metadata {
		return body
	}
	return s.whole[key]
}

// without says why an object isn't there: because the cluster said so, or because it was not requested.
func (s *shelf) without(resource cluster.Resource, key objectKey, wanted form) error {
	held := !s.body(key, metadata).isNone()
	for _, form := range []form{wanted, whole, metadata} {
		// A read in the other form has the same answer, unless it is about the form.
		if failed := s.reads[readKey{objectKey: key, form: form}]; failed != nil && (form == wanted || !held) {
			return failed.err()
		}
	}
	if held {
		return missing(resource, key.namespace, key.name, otherFormError("only its metadata was recorded"))
	}
	err := s.read(resource, metadata, key.namespace, cluster.Selector{})
	switch {
	case err == nil, apierrors.IsNotFound(err):
		return apierrors.NewNotFound(resource.GroupResource(), key.name)
	case cluster.NotRecorded(err):
		err = errors.Unwrap(err)
	}
	return missing(resource, key.namespace, key.name, err)
}

// read reports whether a list was recorded: nil, the error that it ended with, or that it was not.
func (s *shelf) read(resource cluster.Resource, wanted form, namespace string, selector cluster.Selector) error {
	if asked := s.reads[readKey{objectKey{namespace: namespace}, wanted, selector}]; asked != nil {
		return asked.err() // another list of the same objects may have been read all the same
	}
	var failed, broader error
	everything := selector
	everything.Keep = cluster.KeepAll
	answering := slices.Concat([]cluster.Selector{selector, everything}, broaderFields(selector), []cluster.Selector{{}})
	for _, one := range answering {
		for _, in := range []string{namespace, ""} {
			for _, form := range []form{wanted, whole} {
				reason, known := s.reads[readKey{objectKey{namespace: in}, form, one}]
				switch {
				case known && reason == nil:
					return nil
				case known && in == namespace && failed == nil:
					failed = reason.err()
				case known:
					broader = reason.err()
				}
			}
		}
	}
	if failed != nil {
		return failed
	}
	if wanted == whole && broader == nil && s.read(resource, metadata, namespace, selector) == nil {
		broader = otherFormError("only their metadata was recorded")
	}
	return missing(resource, namespace, "", broader)
}

func decode[T any, P decoded[T]](resource cluster.Resource, key objectKey, body []byte) (P, error) {
	object := P(new(T))
	if err := json.Unmarshal(body, object); err != nil {
		return nil, damaged(resource, key, err)
	}
	if object.GetNamespace() != key.namespace || object.GetName() != key.name {
		return nil, damaged(resource, key, errors.New("it is another object"))
	}
	return object, nil
}

func damaged(resource cluster.Resource, key objectKey, err error) error {
	return missing(resource, key.namespace, key.name, fmt.Errorf("it is damaged: %w", err))
}
