// Package cluster is the only code that talks to an API server. Everything above it asks a Reader,
// behind which a live cluster stands, or something that was recorded.
package cluster

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Resource is one kind of object as the cluster serves it.
type Resource struct {
	schema.GroupVersionResource
	Kind       string
	Namespaced bool
	Singular   string
	ShortNames []string
	Categories []string
	Verbs      []string
}

// GroupKind returns the resource's kind without its version.
func (r Resource) GroupKind() schema.GroupKind { return schema.GroupKind{Group: r.Group, Kind: r.Kind} }

// APIVersion returns the resource's group and version as objects carry it.
func (r Resource) APIVersion() string { return r.GroupVersion().String() }

func (r Resource) can(verb string) bool { return slices.Contains(r.Verbs, verb) }

// QualifiedName returns RESOURCE or RESOURCE.GROUP, which names the resource to kubectl without doubt.
func (r Resource) QualifiedName() string { return r.GroupResource().String() }

// Selector narrows a list. The zero value narrows nothing.
type Selector struct {
	Fields string // on the server's side
	Labels string // on the server's side
	// Keep narrows what EachMetadata visits, on this side.
	Keep Keep
	// Recent allows EachMetadata to answer from what the API server has in memory, without asking etcd how far that
	// is behind: as a rule less than a second (docs/decisions/0013).
	Recent bool
}

// Reader reads one cluster. Errors are those of k8s.io/apimachinery/pkg/api/errors, so that not
// found, forbidden and failed stay apart.
type Reader interface {
	// Catalog returns what the cluster serves. A group that can't be discovered is part of the catalog, not an error.
	Catalog(ctx context.Context) (*Catalog, error)
	// Get returns one whole object, read consistently.
	Get(ctx context.Context, resource Resource, namespace, name string) (*unstructured.Unstructured, error)
	// Metadata returns one object's metadata, read consistently.
	Metadata(ctx context.Context, resource Resource, namespace, name string) (*metav1.PartialObjectMetadata, error)
	// List returns whole objects. An empty namespace means all of them.
	List(ctx context.Context, resource Resource, namespace string, selector Selector) ([]unstructured.Unstructured, error)
	// EachMetadata calls visit with each object's metadata as it arrives. An object may be visited
	// twice, when a list outlives its snapshot on the server and starts again.
	EachMetadata(
		ctx context.Context, resource Resource, namespace string, selector Selector, visit func(*metav1.PartialObjectMetadata),
	) error
	// ListUpTo visits whole objects, unless there are more than most of them: then it visits some, or none, and
	// returns false. So does a Reader that can't give up a list that turns out to be long.
	ListUpTo(
		ctx context.Context, resource Resource, namespace string, most int, visit func(*unstructured.Unstructured),
	) (all bool, err error)
	// Now returns the time by the cluster's clock, as far as it is known.
	Now() time.Time
	// Source says what the answers come from. A Reader in front of another has the source of that one.
	Source() Source
}

// Source says what answers the questions of a Reader.
type Source int

const (
	// FromServer is a running API server.
	FromServer Source = iota
	// FromRecording is one moment of a cluster: a second read brings nothing new.
	FromRecording
	// FromManifests is what people have written to files in the form that they liked. It tells neither what the
	// cluster serves nor which objects there are besides.
	FromManifests
)

// Changes reports whether a second read can bring something new.
func (s Source) Changes() bool { return s == FromServer }

// NotRecorded tells whether a read failed because what it asked for is not part of a recording.
func NotRecorded(err error) bool {
	var missing interface{ NotRecorded() bool }
	return errors.As(err, &missing) && missing.NotRecorded()
}

// scanWidth is how many lists are fetched side by side. Most have next to nothing in them, so what they
// take is the way to the server and back; its priority and fairness holds back what is too much.
const scanWidth = 16

// Unlisted is a resource that a scan could not list, and why.
type Unlisted struct {
	Resource
	Err error
}

// ScanFor reads the metadata of the objects of several resources that a selector selects, side by side, and calls visit
// with each, one at a time; without visit, it only sees which resources can't be listed. Those are returned; "not
// found" and "method not allowed" mean that there is nothing to list.
func ScanFor(
	ctx context.Context, reader Reader, resources []Resource, namespace string, selector Selector,
	visit func(Resource, *metav1.PartialObjectMetadata),
) (unread []Unlisted) {
	var mu sync.Mutex
	var lists sync.WaitGroup
	places := make(chan struct{}, scanWidth)
	for _, resource := range resources {
		places <- struct{}{}
		lists.Go(func() {
			defer func() { <-places }()
			err := reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
				if visit == nil || !selector.Keep.Keeps(object) {
					return // a Reader that has everything at hand need not drop anything
				}
				mu.Lock()
				defer mu.Unlock()
				visit(resource, object)
			})
			if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsMethodNotSupported(err) {
				mu.Lock()
				defer mu.Unlock()
				unread = append(unread, Unlisted{Resource: resource, Err: err})
			}
		})
	}
	lists.Wait()
	slices.SortFunc(unread, func(a, b Unlisted) int { return cmp.Compare(a.QualifiedName(), b.QualifiedName()) })
	return unread
}

// Keep says which objects of a list somebody wants: those to which any of it applies. All others may
// be dropped as they pass, before they are decoded, which is most of the work of a scan.
type Keep uint8

// What objects may be kept for. The zero value keeps all.
const (
	KeepTerminating Keep = 1 << iota // deletion was requested
	KeepOwned                        // there are owner references
	KeepHeld                         // there are finalizers
	KeepAll         Keep = 0
	// KeepSlim keeps all objects without their managedFields, annotations and labels, which are most of the metadata
	// there is. Of one with neither owners nor finalizers, a Reader may keep no more than its names and its uid.
	KeepSlim Keep = 1 << 7
	// KeepSample, with KeepSlim, allows a Reader to leave one object's managedFields where they are of those of one
	// list that have the same finalizers: who set these is, as a rule, the same program.
	KeepSample Keep = 1 << 6
)

// Keeps tells whether an object is one to keep.
func (k Keep) Keeps(object *metav1.PartialObjectMetadata) bool {
	return k == KeepAll || k&KeepSlim != 0 || k&KeepTerminating != 0 && object.DeletionTimestamp != nil ||
		k&KeepOwned != 0 && len(object.OwnerReferences) > 0 || k&KeepHeld != 0 && len(object.Finalizers) > 0
}
