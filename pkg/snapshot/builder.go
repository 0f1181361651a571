package snapshot

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Builder puts a Recording together from manifests. Nothing is known of what it isn't told.
type Builder struct{ recording *Recording }

// NewBuilder begins a recording. scope says in words what will be in it.
func NewBuilder(scope string) *Builder {
	return &Builder{newRecording(Header{Format: Format, Version: Version, Scope: scope})}
}

// Whole adds an object with its spec and status, as JSON. A later one of the same name replaces it. It
// fails for objects without a name, and for more than four million of them.
func (b *Builder) Whole(resource cluster.Resource, namespace, name string, body Body) error {
	return b.recording.addObject(&objectLine{placeOf(resource), whole, namespace, name}, body)
}

// Metadata adds an object with only its apiVersion, kind and metadata known, as JSON.
func (b *Builder) Metadata(resource cluster.Resource, namespace, name string, body Body) error {
	return b.recording.addObject(&objectLine{placeOf(resource), metadata, namespace, name}, body)
}

// Listed says that all objects of a resource in a namespace are there, or all of them for an empty one:
// what isn't among them is absent. It fails for a resource without a name or a version.
func (b *Builder) Listed(resource cluster.Resource, namespace string) error {
	return b.recording.addRead(&readLine{place: placeOf(resource), Form: whole, Namespace: namespace})
}

// ListedBy is Listed of the objects that a field selector selects.
func (b *Builder) ListedBy(resource cluster.Resource, namespace, fields string) error {
	return b.recording.addRead(&readLine{place: placeOf(resource), Form: whole, Namespace: namespace, Fields: fields})
}

// ListedMetadata is Listed of the objects' metadata alone.
func (b *Builder) ListedMetadata(resource cluster.Resource, namespace string) error {
	return b.recording.addRead(&readLine{place: placeOf(resource), Form: metadata, Namespace: namespace})
}

// Said adds what was assumed about manifests. exact says that they tell when they were written: else it was not before
// the time that Finish is given. quoted says that not all of them are manifests.
func (b *Builder) Said(notes []string, exact, quoted bool) {
	b.recording.Notes, b.recording.undated, b.recording.Quoted = notes, !exact, quoted
}

// Failed says that an object could not be read, or a list where it has no name, and why.
func (b *Builder) Failed(resource cluster.Resource, namespace, name string, why error) error {
	return b.recording.addRead(&readLine{
		place: placeOf(resource), Form: whole, Namespace: namespace, Name: name, Error: record(why),
	})
}

// Names adds an object that is known by name alone.
func (b *Builder) Names(resource cluster.Resource, namespace, name string) {
	b.recording.Named = append(b.recording.Named, Named{resource, namespace, name})
}

// Answers says that an object is no topic of a text: an answer has asked for it.
func (b *Builder) Answers(kind schema.GroupKind, namespace, name string) {
	if b.recording.answers == nil {
		b.recording.answers = map[Answered]bool{}
	}
	b.recording.answers[Answered{kind, namespace, name}] = true
}

// Empty reports whether nothing was added.
func (b *Builder) Empty() bool {
	return b.recording.counted == (endLine{}) && len(b.recording.Named) == 0
}

// Finish returns the recording. Ages will count from recordedAt; servedKinds is what the cluster serves, with
// the reason in its Partial where that isn't known in full; skipped is what could not be read.
func (b *Builder) Finish(recordedAt time.Time, servedKinds *cluster.ServedKinds, skipped []error) (*Recording, error) {
	r := b.recording
	r.header.RecordedAt, r.catalog = recordedAt.UTC(), catalogToLine(servedKinds)
	r.ended, r.Skipped = r.counted, skipped
	return r, r.complete()
}
