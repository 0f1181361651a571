// Package cluster is the only code that talks to an API server. Everything above it asks a Reader, which reads a live
// cluster or a recording.
//
// This package may change at any time.
package cluster

import (
	"context"
	"errors"
	"slices"
	"time"

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
	Scales     bool // it has the subresource scale, as workloads have
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
	// is behind: as a rule less than a second (docs/decisions/0002-reading-a-cluster.md).
	Recent bool
	// Narrow has EachMetadata, where a page can't be read, come as close to what keeps it from being read as it can: it
	// visits all objects before that, and then returns the error.
	Narrow bool
}

// Reader reads one cluster. Errors are those of k8s.io/apimachinery/pkg/api/errors, so that not
// found, forbidden and failed stay apart.
type Reader interface {
	// ServedKinds returns what the cluster serves. A group that can't be discovered is part of them, not an error.
	ServedKinds(ctx context.Context) (*ServedKinds, error)
	// Get returns one whole object, read consistently.
	Get(ctx context.Context, resource Resource, namespace, name string) (*unstructured.Unstructured, error)
	// Metadata returns one object's metadata, read consistently.
	Metadata(ctx context.Context, resource Resource, namespace, name string) (*metav1.PartialObjectMetadata, error)
	// List returns whole objects. An empty namespace means all of them.
	List(ctx context.Context, resource Resource, namespace string, selector Selector) ([]unstructured.Unstructured, error)
	// EachMetadata calls visit with each object's metadata as it arrives. An object may be visited
	// twice, when a list outlives its snapshot on the server and starts again.
	EachMetadata(
		ctx context.Context, resource Resource, namespace string, selector Selector,
		visit func(*metav1.PartialObjectMetadata),
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
	// FromUndated are manifests that don't show when they were written, only that it was not before a time.
	FromUndated
)

// Manifests reports whether a Reader reads manifests.
func (s Source) Manifests() bool { return s == FromManifests || s == FromUndated }

// Changes reports whether a second read can bring something new.
func (s Source) Changes() bool { return s == FromServer }

// NotRecorded reports whether a read failed because what it asked for is not part of a recording.
func NotRecorded(err error) bool {
	var missing interface{ NotRecorded() bool }
	return errors.As(err, &missing) && missing.NotRecorded()
}

// NeverAsked reports whether a read failed because it was not even tried when a recording was made, or only of the
// metadata. What was tried, and failed, is only NotRecorded.
func NeverAsked(err error) bool {
	var missing interface{ NeverAsked() bool }
	return errors.As(err, &missing) && missing.NeverAsked()
}
