package cluster

import (
	"cmp"
	"context"
	"slices"
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
	served   Memo[struct{}, *ServedKinds]
	objects  Memo[objectKey, *unstructured.Unstructured]
	metadata Memo[objectKey, *metav1.PartialObjectMetadata]
	lists    Memo[listKey, []unstructured.Unstructured]
	mu       sync.Mutex // of failures
	failures []Failure
	answered []Failure // without an error: reads that were no failures, up to mostAnswered
	held     ledger    // what its lists hold, also while they are read
}

type objectKey struct{ resource, namespace, name string }

type listKey struct {
	place    objectKey // of no name
	selector Selector
}

// NewCachedReader returns a CachedReader in front of reader.
func NewCachedReader(reader Reader) *CachedReader { return &CachedReader{Reader: reader} }

// ServedKinds implements Reader.
func (m *CachedReader) ServedKinds(ctx context.Context) (*ServedKinds, error) {
	return m.served.Get(struct{}{}, func() (*ServedKinds, error) {
		servedKinds, err := m.Reader.ServedKinds(ctx)
		if err == nil {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.failures = append(m.failures, servedKinds.Unchecked...)
		}
		return servedKinds, err
	})
}

// Get implements Reader.
func (m *CachedReader) Get(
	ctx context.Context, resource Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	return m.objects.Get(keyOf(resource, namespace, name), func() (*unstructured.Unstructured, error) {
		object, err := m.Reader.Get(ctx, resource, namespace, name)
		m.Failed(resource, namespace, name, err)
		return object, err
	})
}

// Known returns an object that was read as a whole already.
func (m *CachedReader) Known(resource Resource, namespace, name string) (*unstructured.Unstructured, bool) {
	return m.objects.Lookup(keyOf(resource, namespace, name))
}

// EachKnown calls visit with each object that was read as a whole already.
func (m *CachedReader) EachKnown(visit func(*unstructured.Unstructured)) {
	m.objects.Each(func(object *unstructured.Unstructured) {
		if object != nil {
			visit(object)
		}
	})
}

// Metadata implements Reader.
func (m *CachedReader) Metadata(
	ctx context.Context, resource Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	return m.metadata.Get(keyOf(resource, namespace, name), func() (*metav1.PartialObjectMetadata, error) {
		object, err := m.Reader.Metadata(ctx, resource, namespace, name)
		m.Failed(resource, namespace, name, err)
		return object, err
	})
}

// List implements Reader. The objects of a list need no Get afterwards.
func (m *CachedReader) List(
	ctx context.Context, resource Resource, namespace string, selector Selector,
) ([]unstructured.Unstructured, error) {
	return m.list(ctx, resource, namespace, selector, m.Failed)
}

func (m *CachedReader) list(
	ctx context.Context, resource Resource, namespace string, selector Selector,
	note func(resource Resource, namespace, name string, err error),
) ([]unstructured.Unstructured, error) {
	return m.lists.Get(listKey{keyOf(resource, namespace, ""), selector}, func() ([]unstructured.Unstructured, error) {
		objects, err := m.Reader.List(sharing(ctx, &m.held), resource, namespace, selector)
		note(resource, namespace, "", err)
		for i := range objects {
			m.objects.Put(keyOf(resource, objects[i].GetNamespace(), objects[i].GetName()), &objects[i])
		}
		return objects, err
	})
}

// ListOnce is List for a caller that keeps what it needs of all objects, as many as there are: they are not remembered.
func (m *CachedReader) ListOnce(ctx context.Context, resource Resource) ([]unstructured.Unstructured, error) {
	if objects, known := m.lists.Lookup(listKey{place: keyOf(resource, "", "")}); known {
		return objects, nil
	}
	objects, err := m.Reader.List(sharing(ctx, &m.held), resource, "", Selector{})
	m.Failed(resource, "", "", err)
	return objects, err
}

// EachMetadata implements Reader. It remembers failures only: what a scan keeps is for its caller to say.
func (m *CachedReader) EachMetadata(
	ctx context.Context, resource Resource, namespace string, selector Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	err := m.Reader.EachMetadata(sharing(ctx, &m.held), resource, namespace, selector, visit)
	m.Failed(resource, namespace, "", err)
	return err
}

// Gather lists the objects of a resource, unless there are more than most of them; the ones that are wanted need no Get
// afterwards. It answers false where it didn't read them all: what it left out is unread, and a failure is none yet.
func (m *CachedReader) Gather(
	ctx context.Context, resource Resource, namespace string, most int, wanted func(*unstructured.Unstructured) bool,
) bool {
	all, err := m.ListUpTo(sharing(ctx, &m.held), resource, namespace, most, func(object *unstructured.Unstructured) {
		if wanted(object) {
			m.objects.PutNew(keyOf(resource, object.GetNamespace(), object.GetName()), object)
		}
	})
	return all && err == nil
}

// GetIfAsked is Get of what answers do without in a recording that was made without it: that it wasn't asked for then
// is no failure (NeverAsked).
func (m *CachedReader) GetIfAsked(
	ctx context.Context, resource Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	return m.objects.Get(keyOf(resource, namespace, name), func() (*unstructured.Unstructured, error) {
		object, err := m.Reader.Get(ctx, resource, namespace, name)
		m.failedIfAsked(resource, namespace, name, err)
		return object, err
	})
}

// MetadataIfAsked is Metadata as GetIfAsked is Get.
func (m *CachedReader) MetadataIfAsked(
	ctx context.Context, resource Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	return m.metadata.Get(keyOf(resource, namespace, name), func() (*metav1.PartialObjectMetadata, error) {
		object, err := m.Reader.Metadata(ctx, resource, namespace, name)
		m.failedIfAsked(resource, namespace, name, err)
		return object, err
	})
}

// ListIfAsked is List as GetIfAsked is Get.
func (m *CachedReader) ListIfAsked(
	ctx context.Context, resource Resource, namespace string, selector Selector,
) ([]unstructured.Unstructured, error) {
	return m.list(ctx, resource, namespace, selector, m.failedIfAsked)
}

func (m *CachedReader) failedIfAsked(resource Resource, namespace, name string, err error) {
	if !NeverAsked(err) {
		m.Failed(resource, namespace, name, err)
	}
}

// Fresh returns the Reader behind the memory, for who must know how things stand now.
func (m *CachedReader) Fresh() Reader { return m.Reader }

// Failures returns every read that failed so far, in the order in which they failed.
func (m *CachedReader) Failures() []Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.failures)
}

// FailureOf returns what an error of a read makes of it, or false when it is none: "not found" is an answer.
func FailureOf(resource Resource, namespace, name string, err error) (Failure, bool) {
	if err == nil || apierrors.IsNotFound(err) {
		return Failure{}, false
	}
	return Failure{Resource: resource.QualifiedName(), Namespace: namespace, Name: name, Err: err}, true
}

// Failed remembers a request that failed.
func (m *CachedReader) Failed(resource Resource, namespace, name string, err error) {
	failure, failed := FailureOf(resource, namespace, name, err)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case failed:
		m.failures = append(m.failures, failure)
	case len(m.answered) < mostAnswered:
		read := Failure{Resource: resource.QualifiedName(), Namespace: namespace, Name: name}
		m.answered = append(m.answered, read)
	}
}

// mostAnswered is how many reads that were no failures are remembered.
const mostAnswered = 5000

// Answered returns the reads that were no failures, as Failures does, without an error and in an order of their own.
func (m *CachedReader) Answered() []Failure {
	m.mu.Lock()
	defer m.mu.Unlock()
	answered := slices.Clone(m.answered)
	slices.SortFunc(answered, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return slices.Compact(answered)
}

func keyOf(resource Resource, namespace, name string) objectKey {
	return objectKey{resource: resource.String(), namespace: namespace, name: name}
}
