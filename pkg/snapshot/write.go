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
		if _, err = w.buffered.Write(data); err == nil {
			err = w.buffered.WriteByte('\n')
		}
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
	wire, err := cluster.WireOf(&meta.ObjectMeta)
	if err == nil {
		err = w.sheet(resource, meta.TypeMeta).add(wire)
	}
	w.fail(err)
}

// sheet writes the metadata of objects of one resource, one after the other.
type sheet struct {
	*Writer
	resource cluster.Resource
	typed    metav1.TypeMeta // what they say of themselves; the resource tells it, too
	encoder  encoder
}

func (w *Writer) sheet(resource cluster.Resource, typed metav1.TypeMeta) *sheet {
	return &sheet{Writer: w, resource: resource, typed: typed, encoder: encoder{cleaner: w.cleaner}}
}

// add writes one object.
func (s *sheet) add(meta cluster.Wire) error {
	line := &s.encoder
	line.object(s.resource, metadata, meta.Namespace(), meta.Name())
	line.begin()
	line.texted("kind", []byte(s.typed.Kind))
	line.texted("apiVersion", []byte(s.typed.APIVersion))
	line.key("metadata")
	if err := line.metadata(meta); err != nil {
		return err
	}
	line.end()
	line.end()
	s.line(line.data)
	return nil
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
	if err != nil {
		w.fail(err)
		return
	}
	w.object(resource, kept, object.GetNamespace(), object.GetName(), body)
}

// raw writes one whole object from its JSON.
func (w *Writer) raw(resource cluster.Resource, object []byte) (*rawObject, error) {
	clean, err := w.cleaner.raw(resource, object)
	if err == nil {
		w.object(resource, whole, clean.namespace, clean.name, clean.out)
	}
	return clean, err
}

// object writes one object.
func (w *Writer) object(resource cluster.Resource, form form, namespace, name string, body []byte) {
	line := jsonText{data: make([]byte, 0, len(body)+256)}
	line.object(resource, form, namespace, name)
	line.data = append(line.data, body...)
	line.end()
	w.line(line.data)
}

// object begins the line of an object anew: its body comes next. It is what encoding/json makes of an
// objectLine.
func (j *jsonText) object(resource cluster.Resource, form form, namespace, name string) {
	j.data = append(j.data[:0], `{"object":{`...)
	j.texted("group", []byte(resource.Group))
	for _, field := range [...][2]string{{"version", resource.Version}, {"resource", resource.Resource}, {"form", string(form)}} {
		j.key(field[0])
		j.text([]byte(field[1]))
	}
	j.texted("namespace", []byte(namespace))
	j.key("name")
	j.text([]byte(name))
	j.data = append(append(j.data, '}'), bodyMark...)
}

// line writes the line of an object.
func (w *Writer) line(data []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.objects++
	w.writeLine(data, nil)
}

// fail remembers an error.
func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = errors.Join(w.err, err)
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
