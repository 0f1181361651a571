package snapshot

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Writer writes a recording, line by line as things are read. It is safe for several at once. After
// the first error it writes no more; Close returns that error.
type Writer struct {
	cleaner *cleaner
	written <-chan error // when all lines are written, the first error of that

	mu      sync.Mutex
	lines   chan<- any // nil when the recording has ended
	counted endLine
	err     error
}

const linesWaiting = 256 // to be written: whoever reads faster is held back

// NewWriter begins a recording, of what is read with a catalogue. Format and version of the header are filled in. It
// has to be closed.
func NewWriter(out io.Writer, head Header, known *plugins.Set) *Writer {
	lines, written := make(chan any, linesWaiting), make(chan error, 1)
	go func() { written <- encodeLines(out, lines) }()
	head.Format, head.Version, head.RecordedAt = Format, Version, head.RecordedAt.UTC()
	lines <- head
	return &Writer{cleaner: newCleaner(known), written: written, lines: lines}
}

// encodeLines writes lines as JSON, compressed, until there are no more. Whoever reads a cluster doesn't wait for that.
func encodeLines(out io.Writer, lines <-chan any) error {
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed) // as good as any for text that repeats itself this much
	encoder := json.NewEncoder(zip)
	for line := range lines {
		if err == nil {
			err = encoder.Encode(line)
		}
	}
	if err != nil {
		return err
	}
	return zip.Close()
}

// bodyLine is the line of an object that is written. It is read as a line.
type bodyLine struct {
	Object objectLine `json:"object"`
	Body   any        `json:"body"`
}

// write writes a line, which must not change afterwards, and counts it.
func (w *Writer) write(line any, count *int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lines == nil {
		return
	}
	*count++
	w.lines <- line
}

func (w *Writer) catalog(servedKinds *cluster.ServedKinds) {
	w.cleaner.meetKinds(servedKinds)
	w.write(line{Catalog: catalogToLine(servedKinds)}, new(int))
}

func (w *Writer) metadata(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
	clean := w.cleaner.partial(resource, meta)
	w.write(bodyLine{objectLine{placeOf(resource), metadata, meta.Namespace, meta.Name}, clean}, &w.counted.Objects)
}

// whole writes one object with its spec and status; of what may be secret, its metadata, and of a ConfigMap what says
// which objects programs act on. It returns the object's metadata as it was, and fails for what isn't an object with a
// name.
func (w *Writer) whole(
	resource cluster.Resource, object *unstructured.Unstructured,
) (*metav1.PartialObjectMetadata, error) {
	if neverWhole(resource.QualifiedName()) {
		meta, err := metadataOf(resource, object)
		if err != nil {
			return meta, err
		}
		data, _ := object.Object["data"].(map[string]any)
		kept, gives := w.cleaner.settings.of(meta.Namespace, meta.Name, data)
		if !gives || resource.Kind != "ConfigMap" {
			w.metadata(resource, meta)
			return meta, nil
		}
		clean := map[string]any{
			"apiVersion": meta.APIVersion, "kind": meta.Kind, "data": kept,
			"metadata": w.cleaner.metadata(resource, &meta.ObjectMeta),
		}
		w.write(bodyLine{objectLine{placeOf(resource), whole, meta.Namespace, meta.Name}, clean}, &w.counted.Objects)
		return meta, nil
	}
	clean, meta, err := w.cleaner.whole(resource, object)
	if err == nil {
		w.write(bodyLine{objectLine{placeOf(resource), whole, meta.Namespace, meta.Name}, clean}, &w.counted.Objects)
	}
	return meta, err
}

// read writes that something was read, or could not be.
func (w *Writer) read(read readLine, err error) {
	read.Error = record(err)
	w.write(line{Read: &read}, &w.counted.Reads)
}

func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = errors.Join(w.err, err)
}

// Objects returns how many objects were written so far.
func (w *Writer) Objects() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counted.Objects
}

// Close ends the recording. It returns the first error there was, also when called again; the recording is none then.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lines != nil {
		w.lines <- line{End: &w.counted}
		close(w.lines)
		w.lines = nil
		w.err = errors.Join(w.err, <-w.written)
	}
	return w.err
}

// partial returns what a recording holds of an object if its metadata was read.
func (c *cleaner) partial(resource cluster.Resource, meta *metav1.PartialObjectMetadata) metav1.PartialObjectMetadata {
	return metav1.PartialObjectMetadata{TypeMeta: meta.TypeMeta, ObjectMeta: c.metadata(resource, &meta.ObjectMeta)}
}

func (p place) gvr() schema.GroupVersionResource { return schema.GroupVersionResource(p) }

func placeOf(resource cluster.Resource) place { return place(resource.GroupVersionResource) }
