package snapshot

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Builder puts a Recording together from what no Recorder has written: manifests. Nothing is known of
// what it isn't told.
type Builder struct{ recording *Recording }

// NewBuilder begins a recording. scope says in words what will be in it.
func NewBuilder(scope string) *Builder {
	return &Builder{newRecording(header{Format: Format, Version: Version, Scope: scope})}
}

// Whole adds an object with its spec and status, as JSON. A later one of the same name replaces it. It
// fails for objects without a name, and for more than four million of them.
func (b *Builder) Whole(resource cluster.Resource, namespace, name string, body []byte) error {
	return b.recording.addObject(&objectLine{place: placeOf(resource), Form: whole, Namespace: namespace, Name: name}, body)
}

// Metadata adds an object of which only apiVersion, kind and metadata are to be known, as JSON.
func (b *Builder) Metadata(resource cluster.Resource, namespace, name string, body []byte) error {
	return b.recording.addObject(&objectLine{place: placeOf(resource), Form: metadata, Namespace: namespace, Name: name}, body)
}

// Listed says that all objects of a resource in a namespace are there, or all of them for an empty one:
// what isn't among them is absent. It fails for a resource without a name or a version.
func (b *Builder) Listed(resource cluster.Resource, namespace string) error {
	return b.recording.addRead(&readLine{place: placeOf(resource), Form: whole, Namespace: namespace})
}

// Empty tells whether nothing was added.
func (b *Builder) Empty() bool { return b.recording.objects == 0 && b.recording.reads == 0 }

// Finish returns the recording. Ages will count from recordedAt; catalog is what the cluster serves, with
// the reason in its Partial where that isn't known in full; skipped is what could not be read.
func (b *Builder) Finish(recordedAt time.Time, catalog *cluster.Catalog, skipped []error) (*Recording, error) {
	r := b.recording
	r.header.RecordedAt = recordedAt.UTC()
	r.catalog = catalogToLine(catalog)
	r.ended = &endLine{Objects: r.objects, Reads: r.reads}
	r.Skipped = skipped
	return r, r.complete()
}
