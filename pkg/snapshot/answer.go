package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Catalog implements cluster.Reader. Each caller gets a catalog of its own: it remembers what was asked.
func (r *Recording) Catalog(ctx context.Context) (*cluster.Catalog, error) {
	return catalogFromLine(r.catalog), ctx.Err()
}

// Get implements cluster.Reader. Of an object of which only metadata was recorded, and of one that nobody
// asked for, it returns an error that cluster.NotRecorded knows; of one whose read failed, that failure.
func (r *Recording) Get(ctx context.Context, resource cluster.Resource, namespace, name string) (*unstructured.Unstructured, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := objectKey{namespace, name}
	shelf := r.find(resource, whole, key)
	if body := shelf.whole[key]; body != nil {
		return decode(resource, key, body)
	}
	return nil, shelf.without(resource, key, whole)
}

// Metadata implements cluster.Reader. It fails as Get does, and finds objects in whichever version they were
// recorded.
func (r *Recording) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key := objectKey{namespace, name}
	shelf := r.find(resource, metadata, key)
	if body := shelf.either(key); body != nil {
		return decodeMetadata(resource, key, body)
	}
	return nil, shelf.without(resource, key, metadata)
}

// List implements cluster.Reader. Where the list as such was not recorded, it returns the objects that
// were all the same, and the error.
func (r *Recording) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) (found []unstructured.Unstructured, err error) {
	err = r.each(ctx, resource, whole, namespace, selector, func(key objectKey, body []byte) error {
		object, err := decode(resource, key, body)
		if err == nil {
			found = append(found, *object)
		}
		return err
	})
	return found, err
}

// ListUpTo implements cluster.Reader: it visits nothing, because a part of a list would pass for the whole.
func (*Recording) ListUpTo(context.Context, cluster.Resource, string, int, func(*unstructured.Unstructured)) (bool, error) {
	return false, nil
}

// EachMetadata implements cluster.Reader. Like List, it knows of objects whose list is incomplete.
func (r *Recording) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector, visit func(*metav1.PartialObjectMetadata),
) error {
	return r.each(ctx, resource, metadata, namespace, selector, func(key objectKey, body []byte) error {
		meta, err := decodeMetadata(resource, key, body)
		if err == nil {
			handOn(meta, selector.Keep, visit)
		}
		return err
	})
}

// each visits the objects of a list, encoded, and returns why there may be more.
func (r *Recording) each(
	ctx context.Context, resource cluster.Resource, form form, namespace string, selector cluster.Selector, visit func(objectKey, []byte) error,
) error {
	selected, err := selects(selector)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	shelf := r.find(resource, form, objectKey{namespace: namespace})
	incomplete := shelf.read(resource, form, namespace, selector)
	if incomplete != nil && !cluster.NotRecorded(incomplete) {
		return incomplete
	}
	for _, key := range shelf.order {
		body := shelf.whole[key]
		if form == metadata {
			body = shelf.either(key)
		}
		if namespace != "" && key.namespace != namespace || body == nil { // read on its own, and no part of the list
			continue
		}
		is, err := selected(body)
		if err != nil {
			return damaged(resource, key, err)
		}
		if is {
			err = visit(key, body)
		}
		if err := errors.Join(ctx.Err(), err); err != nil {
			return err
		}
	}
	return incomplete
}

// find returns what is held of a resource. Metadata is the same in all versions of it; an object's
// spec is not.
func (r *Recording) find(resource cluster.Resource, form form, key objectKey) *shelf {
	if found := r.places[placeOf(resource)]; found != nil {
		return found
	}
	if form == metadata {
		for _, other := range r.versions[resource.GroupResource()] {
			shelf := r.places[other]
			if shelf.either(key) != nil || key.name == "" && shelf.read(resource, metadata, key.namespace, cluster.Selector{}) == nil {
				return shelf
			}
		}
	}
	return &shelf{}
}

// either returns an object's body in the newest form.
func (s *shelf) either(key objectKey) []byte {
	if body := s.metadata[key]; body != nil {
		return body
	}
	return s.whole[key]
}

// without says why an object isn't there: because the cluster said so, or because nobody asked.
func (s *shelf) without(resource cluster.Resource, key objectKey, wanted form) error {
	if failed := s.failed[failKey{key, wanted}]; failed != nil {
		return failed.err()
	}
	held := s.either(key) != nil
	other := metadata
	if wanted == metadata {
		other = whole
	}
	// A read in the other form has the same answer, unless it is about the form.
	if failed := s.failed[failKey{key, other}]; failed != nil && !held {
		return failed.err()
	}
	if held {
		return missing(resource, key.namespace, key.name, fmt.Errorf("only its metadata was recorded"))
	}
	err := s.read(resource, metadata, key.namespace, cluster.Selector{})
	switch {
	case err == nil, apierrors.IsNotFound(err):
		return apierrors.NewNotFound(resource.GroupResource(), key.name)
	case cluster.NotRecorded(err):
		return missing(resource, key.namespace, key.name, errors.Unwrap(err))
	}
	return missing(resource, key.namespace, key.name, err)
}

// read tells whether a list was recorded: nil, the error that it ended with, or that it was not.
func (s *shelf) read(resource cluster.Resource, wanted form, namespace string, selector cluster.Selector) error {
	forms := []form{whole}
	if wanted == metadata {
		forms = []form{metadata, whole}
	}
	namespaces := []string{namespace, ""}
	var failed *Error
	var broader error
	everything := selector
	everything.Keep = cluster.KeepAll
	for _, one := range []cluster.Selector{selector, everything, {}} {
		for _, in := range namespaces {
			for _, form := range forms {
				reason, known := s.reads[readKey{form, in, one}]
				switch {
				case known && reason == nil:
					return nil
				case known && in == namespace && failed == nil:
					failed = reason
				case known:
					broader = reason.err()
				}
			}
		}
	}
	if failed != nil {
		return failed.err()
	}
	if wanted == whole && broader == nil && s.read(resource, metadata, namespace, selector) == nil {
		broader = fmt.Errorf("only their metadata was recorded")
	}
	return missing(resource, namespace, "", broader)
}

func decode(resource cluster.Resource, key objectKey, body []byte) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(body); err != nil {
		return nil, damaged(resource, key, err)
	}
	if object.GetNamespace() != key.namespace || object.GetName() != key.name {
		return nil, damaged(resource, key, fmt.Errorf("it is another object"))
	}
	return object, nil
}

func decodeMetadata(resource cluster.Resource, key objectKey, body []byte) (*metav1.PartialObjectMetadata, error) {
	meta := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(body, meta); err != nil {
		return nil, damaged(resource, key, err)
	}
	if meta.Namespace != key.namespace || meta.Name != key.name {
		return nil, damaged(resource, key, fmt.Errorf("it is another object"))
	}
	return meta, nil
}

func damaged(resource cluster.Resource, key objectKey, err error) error {
	return missing(resource, key.namespace, key.name, fmt.Errorf("it is damaged: %w", err))
}
