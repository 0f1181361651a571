package snapshot

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Writer writes a recording, line by line as things are read. It is safe for several at once. After
// the first error it writes no more; Close returns that error.
type Writer struct {
	mu       sync.Mutex
	buffered *bufio.Writer
	behind   *background
	zip      *gzip.Writer
	objects  int
	reads    int
	err      error
	cleaner  *cleaner
}

// Header is what a recording says of itself.
type Header = header

// NewWriter begins a recording. Format and version of the header are filled in.
func NewWriter(out io.Writer, head Header) *Writer {
	// The fastest compression is as good as any for text that repeats itself this much, and the
	// cluster's answers are the slower part.
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	w := &Writer{zip: zip, behind: newBackground(zip), err: err, cleaner: newCleaner()}
	w.buffered = bufio.NewWriterSize(w.behind, 1<<16)
	head.Format, head.Version = Format, Version
	head.RecordedAt = head.RecordedAt.UTC()
	w.write(head)
	return w
}

func (w *Writer) write(value any) {
	data, err := json.Marshal(value)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeLine(data, err)
}

func (w *Writer) writeLine(data []byte, err error) {
	if err == nil {
		_, err = w.buffered.Write(append(data, '\n'))
	}
	w.err = errors.Join(w.err, err)
}

// catalog writes what the cluster serves.
func (w *Writer) catalog(catalog *cluster.Catalog) {
	w.cleaner.meetGroups(catalog)
	w.write(line{Catalog: catalogToLine(catalog)})
}

// metadata writes one object's metadata.
func (w *Writer) metadata(resource cluster.Resource, meta *metav1.PartialObjectMetadata) {
	w.object(resource, metadata, meta.Namespace, meta.Name, encodeMetadata(w.cleaner.metadata(meta)), nil)
}

// whole writes one object with its spec and status; of what may be secret, its metadata.
func (w *Writer) whole(resource cluster.Resource, object *unstructured.Unstructured) {
	kept := whole
	fields := w.cleaner.whole(object)
	if neverWhole(resource.GroupResource()) {
		kept = metadata
		fields = map[string]any{"apiVersion": fields["apiVersion"], "kind": fields["kind"], "metadata": fields["metadata"]}
	}
	body, err := json.Marshal(fields)
	w.object(resource, kept, object.GetNamespace(), object.GetName(), body, err)
}

// raw writes one whole object from its JSON.
func (w *Writer) raw(resource cluster.Resource, object []byte) (*rawObject, error) {
	clean, err := w.cleaner.raw(resource, object)
	if err == nil {
		w.object(resource, whole, clean.namespace, clean.name, clean.out, nil)
	}
	return clean, err
}

func (w *Writer) object(resource cluster.Resource, form form, namespace, name string, body []byte, failed error) {
	of, err := json.Marshal(objectLine{place: placeOf(resource), Form: form, Namespace: namespace, Name: name})
	// What encoding/json makes of a line, without encoding the body a second time.
	data := make([]byte, 0, len(of)+len(body)+24)
	data = append(append(append(append(append(data, `{"object":`...), of...), bodyMark...), body...), '}')
	w.mu.Lock()
	defer w.mu.Unlock()
	w.objects++
	w.writeLine(data, errors.Join(failed, err))
}

// read writes that something was read, or could not be.
func (w *Writer) read(read readLine, err error) {
	read.Error = record(err)
	w.mu.Lock()
	w.reads++
	w.mu.Unlock()
	w.write(line{Read: &read})
}

// Objects returns how many objects were written so far.
func (w *Writer) Objects() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.objects
}

// Close ends the recording.
func (w *Writer) Close() error {
	w.write(line{End: &endLine{Objects: w.objects, Reads: w.reads}})
	if w.err != nil {
		return errors.Join(w.err, w.behind.Close())
	}
	return errors.Join(w.buffered.Flush(), w.behind.Close(), w.zip.Close())
}

func placeOf(resource cluster.Resource) place {
	return place{Group: resource.Group, Version: resource.Version, Resource: resource.Resource}
}
