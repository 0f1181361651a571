package snapshot

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Recorder is a cluster.Reader that writes down what it reads: the recording gives the same answers afterwards.
type Recorder struct {
	cluster.Reader
	writer *Writer
	// Wide makes every list of the area answer all other questions about its objects: it holds all of them, and whole
	// ones of the kinds that mechanisms read whole.
	Wide bool
	area string // the namespace that is recorded as a whole, beside what is in none; empty for all of them

	mu      sync.Mutex
	catalog bool                       // is written
	listed  map[list]bool              // the ones that were read without a selector, whether or not that succeeded
	asked   map[place]cluster.Resource // whose objects were requested with their spec and status
	live    map[place]*liveKind        // of an area
	wholes  []written                  // of a recording that is no area's
	missing []cluster.Failure
}

// list is one of a namespace, or of all.
type list struct {
	place
	namespace string
	form      form
}

// NewRecorder returns a Recorder that reads from reader.
func NewRecorder(reader cluster.Reader, writer *Writer) *Recorder {
	return &Recorder{Reader: reader, writer: writer, listed: map[list]bool{}, asked: map[place]cluster.Resource{},
		live: map[place]*liveKind{}}
}

// Missing returns the reads that failed, in the order in which they did.
func (r *Recorder) Missing() []cluster.Failure {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.missing)
}

// ServedKinds implements cluster.Reader.
func (r *Recorder) ServedKinds(ctx context.Context) (*cluster.ServedKinds, error) {
	servedKinds, err := r.Reader.ServedKinds(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && !r.catalog {
		r.writer.catalog(servedKinds)
		r.missing = append(r.missing, servedKinds.Unchecked...)
		r.catalog = true
	}
	return servedKinds, err
}

// Get implements cluster.Reader.
func (r *Recorder) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	r.askedWhole(resource)
	object, err := r.Reader.Get(ctx, resource, namespace, name)
	if err != nil {
		r.note(ctx, resource, readLine{Form: whole, Namespace: namespace, Name: name}, err)
		return object, err
	}
	r.write(resource, object)
	return object, nil
}

// Metadata implements cluster.Reader.
func (r *Recorder) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	object, err := r.Reader.Metadata(ctx, resource, namespace, name)
	if err != nil {
		r.note(ctx, resource, readLine{Form: metadata, Namespace: namespace, Name: name}, err)
		return object, err
	}
	r.writer.metadata(resource, object)
	return object, nil
}

// List implements cluster.Reader.
func (r *Recorder) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	r.askedWhole(resource)
	objects, err := r.Reader.List(ctx, resource, namespace, selector)
	for i := range objects {
		r.write(resource, &objects[i])
	}
	r.note(ctx, resource, listOf(whole, namespace, selector), err)
	return objects, err
}

// ListUpTo implements cluster.Reader: it visits nothing, so that what is asked next is recorded.
func (*Recorder) ListUpTo(
	context.Context, cluster.Resource, string, int, func(*unstructured.Unstructured),
) (bool, error) {
	return false, nil
}

// EachMetadata implements cluster.Reader.
func (r *Recorder) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	wanted := selector.Keep
	wide := r.Wide && (r.area == "" || namespace == r.area || !resource.Namespaced)
	if wide || wanted&cluster.KeepSlim != 0 {
		selector.Keep = cluster.KeepAll // a slim object would be in the way of a full one
	}
	if wide && selector == (cluster.Selector{}) && Whole(resource.QualifiedName()) {
		return r.each(ctx, resource, namespace, wanted, visit)
	}
	last := lastRead{}
	err := r.Reader.EachMetadata(ctx, resource, namespace, selector, func(meta *metav1.PartialObjectMetadata) {
		if selector.Keep.Keeps(meta) {
			r.writer.metadata(resource, meta)
		}
		last = lastRead{meta.Namespace, meta.Name}
		r.noteLive(resource, meta)
		handOn(meta, wanted, visit)
	})
	read := listOf(metadata, namespace, selector)
	if selector.Narrow && err != nil {
		read.Last = &last
	}
	r.note(ctx, resource, read, err)
	return err
}

// handOn visits what the caller wants to keep.
func handOn(meta *metav1.PartialObjectMetadata, keep cluster.Keep, visit func(*metav1.PartialObjectMetadata)) {
	if !keep.Keeps(meta) {
		return
	}
	if keep&cluster.KeepSlim != 0 {
		slim := *meta
		slim.Annotations = nil
		if keep&cluster.KeepSample == 0 {
			slim.ManagedFields = nil
		}
		meta = &slim
	}
	visit(meta)
}

// each records whole objects as they arrive, and hands on the metadata of the ones that the caller wants to keep.
func (r *Recorder) each(
	ctx context.Context, resource cluster.Resource, namespace string, keep cluster.Keep,
	visit func(*metav1.PartialObjectMetadata),
) error {
	var odd error
	_, err := r.Reader.ListUpTo(ctx, resource, namespace, math.MaxInt, func(object *unstructured.Unstructured) {
		meta, err := r.writer.whole(resource, object)
		if err == nil {
			handOn(meta, keep, visit)
		} else if odd == nil {
			odd = err
		}
	})
	err = errors.Join(err, odd)
	r.note(ctx, resource, listOf(whole, namespace, cluster.Selector{}), err)
	return err
}

// begin notes that a list is read, and reports whether one that holds as much was read before.
func (r *Recorder) begin(resource cluster.Resource, namespace string, form form) (known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := placeOf(resource)
	for _, in := range []string{namespace, ""} {
		known = known || r.listed[list{at, in, form}] || r.listed[list{at, in, whole}]
	}
	r.listed[list{at, namespace, form}] = true
	return known
}

func (r *Recorder) askedWhole(resource cluster.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[placeOf(resource)] = resource
}

func listOf(form form, namespace string, narrow cluster.Selector) readLine {
	return readLine{Form: form, Namespace: namespace, Fields: narrow.Fields, Labels: narrow.Labels, Keep: narrow.Keep}
}

// note writes that a read was done, or that it failed. One that was interrupted tells nothing.
func (r *Recorder) note(ctx context.Context, resource cluster.Resource, read readLine, err error) {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return
	}
	read.place = placeOf(resource)
	if read.Form == whole && neverWhole(resource.QualifiedName()) {
		read.Form = metadata // which is all that is held
	}
	r.writer.read(read, err)
	if read.Name == "" && read.Fields == "" && read.Labels == "" && read.Keep == cluster.KeepAll {
		r.begin(resource, read.Namespace, read.Form)
	}
	if failure, failed := cluster.FailureOf(resource, read.Namespace, read.Name, err); failed {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.missing = append(r.missing, failure)
	}
}
