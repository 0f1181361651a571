package cluster

import (
	"context"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Failure is one read that could not be done. What it would have told is unknown, not absent.
type Failure struct {
	Resource  string // RESOURCE or RESOURCE.GROUP
	Namespace string
	Name      string // of the object, when one was asked for
	Err       error
}

// CachedReader is a Reader that fetches nothing twice, for one diagnosis, and remembers every read that
// failed. "Not found" is an answer, not a failure.
type CachedReader struct {
	Reader

	mu       sync.Mutex
	catalog  func() (*Catalog, error)
	objects  map[objectKey]func() (*unstructured.Unstructured, error)
	metadata map[objectKey]func() (*metav1.PartialObjectMetadata, error)
	lists    map[listKey]func() ([]unstructured.Unstructured, error)
	failures []Failure
}

type objectKey struct{ resource, namespace, name string }

type listKey struct {
	resource, namespace string
	selector            Selector
}

// NewCachedReader returns a CachedReader in front of reader.
func NewCachedReader(reader Reader) *CachedReader {
	return &CachedReader{
		Reader:   reader,
		objects:  map[objectKey]func() (*unstructured.Unstructured, error){},
		metadata: map[objectKey]func() (*metav1.PartialObjectMetadata, error){},
		lists:    map[listKey]func() ([]unstructured.Unstructured, error){},
	}
}

// once returns the answer to key, asking for it the first time only. Two who ask at the same time
// wait for one request.
func once[K comparable, V any](mu *sync.Mutex, answers map[K]func() (V, error), key K, ask func() (V, error)) (V, error) {
	mu.Lock()
	answer, known := answers[key]
	if !known {
		answer = sync.OnceValues(ask)
		answers[key] = answer
	}
	mu.Unlock()
	return answer()
}

// Catalog implements Reader.
func (m *CachedReader) Catalog(ctx context.Context) (*Catalog, error) {
	m.mu.Lock()
	if m.catalog == nil {
		m.catalog = sync.OnceValues(func() (*Catalog, error) { return m.Reader.Catalog(ctx) })
	}
	catalog := m.catalog
	m.mu.Unlock()
	return catalog()
}

// Get implements Reader.
func (m *CachedReader) Get(ctx context.Context, resource Resource, namespace, name string) (*unstructured.Unstructured, error) {
	return once(&m.mu, m.objects, keyOf(resource, namespace, name), func() (*unstructured.Unstructured, error) {
		object, err := m.Reader.Get(ctx, resource, namespace, name)
		m.note(resource, namespace, name, err)
		return object, err
	})
}

// Known returns an object that was read as a whole already.
func (m *CachedReader) Known(resource Resource, namespace, name string) (*unstructured.Unstructured, bool) {
	m.mu.Lock()
	answer, known := m.objects[keyOf(resource, namespace, name)]
	m.mu.Unlock()
	if !known {
		return nil, false
	}
	object, err := answer()
	return object, err == nil
}

// Metadata implements Reader.
func (m *CachedReader) Metadata(ctx context.Context, resource Resource, namespace, name string) (*metav1.PartialObjectMetadata, error) {
	return once(&m.mu, m.metadata, keyOf(resource, namespace, name), func() (*metav1.PartialObjectMetadata, error) {
		object, err := m.Reader.Metadata(ctx, resource, namespace, name)
		m.note(resource, namespace, name, err)
		return object, err
	})
}

// List implements Reader. The objects of a list need no Get afterwards.
func (m *CachedReader) List(ctx context.Context, resource Resource, namespace string, selector Selector) ([]unstructured.Unstructured, error) {
	key := listKey{resource: resource.String(), namespace: namespace, selector: selector}
	return once(&m.mu, m.lists, key, func() ([]unstructured.Unstructured, error) {
		objects, err := m.Reader.List(ctx, resource, namespace, selector)
		m.note(resource, namespace, "", err)
		m.mu.Lock()
		defer m.mu.Unlock()
		for i := range objects {
			object := &objects[i]
			m.objects[keyOf(resource, object.GetNamespace(), object.GetName())] = func() (*unstructured.Unstructured, error) { return object, nil }
		}
		return objects, err
	})
}

// EachMetadata implements Reader. It remembers failures only: what a scan keeps is for its caller
// to say.
func (m *CachedReader) EachMetadata(ctx context.Context, resource Resource, namespace string, selector Selector, visit func(*metav1.PartialObjectMetadata)) error {
	err := m.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	m.note(resource, namespace, "", err)
	return err
}

// Fresh returns the Reader behind the memory, for who must know how things stand now.
func (m *CachedReader) Fresh() Reader { return m.Reader }

// Failures returns every read that failed so far, in the order in which they failed.
func (m *CachedReader) Failures() []Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Failure(nil), m.failures...)
}

func (m *CachedReader) note(resource Resource, namespace, name string, err error) {
	if failure, failed := FailureOf(resource, namespace, name, err); failed {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.failures = append(m.failures, failure)
	}
}

// FailureOf returns what an error of a read makes of it, or false when it is none: "not found" is an
// answer.
func FailureOf(resource Resource, namespace, name string, err error) (Failure, bool) {
	if err == nil || apierrors.IsNotFound(err) {
		return Failure{}, false
	}
	return Failure{Resource: resource.QualifiedName(), Namespace: namespace, Name: name, Err: err}, true
}

// Failed remembers a request of somebody else's that failed.
func (m *CachedReader) Failed(resource Resource, namespace, name string, err error) {
	m.note(resource, namespace, name, err)
}

func keyOf(resource Resource, namespace, name string) objectKey {
	return objectKey{resource: resource.String(), namespace: namespace, name: name}
}
