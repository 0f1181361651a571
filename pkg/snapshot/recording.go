package snapshot

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Recording is a cluster.Reader of a recorded cluster, made by Read or a Builder. It is safe for several at once.
type Recording struct {
	header   Header
	catalog  *catalogLine
	places   map[place]*shelf
	versions map[schema.GroupResource][]place // the places of a resource, for those who ask in another version
	counted  endLine                          // what was added
	ended    endLine                          // what was written
	// Skipped says of files that could not be read which they are, and why: what they would have told is not recorded.
	Skipped []error
	// Notes say what was assumed about manifests, each in one sentence.
	Notes []string
	// Quoted says that something in manifests is no manifest: a table, a description, or a command with its output.
	Quoted bool
	// Named are objects that manifests only name: they don't tell whether these are being deleted.
	Named   []Named
	answers map[Answered]bool
	undated bool // it was not made before its time, and may have been long after
}

// Answered is an object that a text has only because an answer has asked for it.
type Answered struct {
	Kind            schema.GroupKind
	Namespace, Name string
}

// IsTopic reports whether a text is about an object, and does not only have it because an answer has asked for it.
func (r *Recording) IsTopic(kind schema.GroupKind, namespace, name string) bool {
	return !r.answers[Answered{kind, namespace, name}]
}

// Named is an object that is known by name alone. The namespace is empty where it is not known, either.
type Named struct {
	Resource        cluster.Resource
	Namespace, Name string
}

// shelf is what is held of one resource in one version.
type shelf struct {
	whole    map[objectKey]Body
	metadata map[objectKey]Body
	order    []objectKey           // of first appearance
	reads    map[readKey]*Error    // of lists, nil for one that was done, and of objects that could not be read
	last     map[readKey]objectKey // the last object that could be read, of lists that were narrowed down
}

type objectKey struct{ namespace, name string }

type readKey struct {
	objectKey // without a name for a list
	form      form
	selector  cluster.Selector
}

func newRecording(head Header) *Recording {
	return &Recording{header: head, places: map[place]*shelf{}, versions: map[schema.GroupResource][]place{}}
}

// Header returns what the recording says of itself: when and of what it was made.
func (r *Recording) Header() Header { return r.header }

// Objects returns how many objects were added: one that was read twice counts twice.
func (r *Recording) Objects() int { return r.counted.Objects }

func (r *Recording) shelf(at place) *shelf {
	found := r.places[at]
	if found == nil {
		found = &shelf{
			whole: map[objectKey]Body{}, metadata: map[objectKey]Body{},
			reads: map[readKey]*Error{}, last: map[readKey]objectKey{},
		}
		r.places[at] = found
		name := schema.GroupResource{Group: at.Group, Resource: at.Resource}
		r.versions[name] = append(r.versions[name], at)
	}
	return found
}

// bodyMark is between whose an object is and the object. It can't be in a name: quotes are escaped there.
const bodyMark = `,"body":`

// add takes in one line. It answers true for the last.
func (r *Recording) add(data []byte) (ended bool, err error) {
	var one line
	var body json.RawMessage // which is left as it is, not decoded
	at := bytes.Index(data, []byte(bodyMark))
	if at > 0 && bytes.HasPrefix(data, []byte(`{"object":{`)) && data[len(data)-1] == '}' {
		data, body = append(append(make([]byte, 0, at+1), data[:at]...), '}'), data[at+len(bodyMark):len(data)-1]
	}
	if err := json.Unmarshal(data, &one); err != nil {
		return false, fmt.Errorf("it can't be read: %w", err)
	}
	if body != nil {
		one.Body = body
	}
	switch {
	case one.Object != nil:
		return false, r.addObject(one.Object, Alone(one.Body))
	case one.Catalog != nil:
		r.catalog = one.Catalog
	case one.Read != nil:
		return false, r.addRead(one.Read)
	case one.End != nil:
		r.ended = *one.End
		return true, nil
	}
	return false, nil // something that a later minor version may have added
}

func (r *Recording) addObject(of *objectLine, body Body) error {
	switch {
	case of.Name == "" || of.Resource == "" || of.Version == "":
		return errors.New("an object without a name")
	case body.Len() == 0:
		return errors.New("an object without content")
	case r.counted.Objects >= mostObjects:
		return fmt.Errorf("it contains more than %d objects", mostObjects)
	}
	r.counted.Objects++
	shelf, key := r.shelf(of.place), objectKey{of.Namespace, of.Name}
	if shelf.whole[key].isNone() && shelf.metadata[key].isNone() {
		shelf.order = append(shelf.order, key)
	}
	switch of.Form {
	case whole:
		shelf.whole[key] = body
		delete(shelf.metadata, key) // it is older
	case metadata:
		shelf.metadata[key] = body
	default:
		return fmt.Errorf("an object in an unknown form: %q", of.Form)
	}
	delete(shelf.reads, readKey{objectKey: key, form: whole})
	delete(shelf.reads, readKey{objectKey: key, form: metadata})
	return nil
}

func (r *Recording) addRead(read *readLine) error {
	switch {
	case read.Resource == "" || read.Version == "":
		return errors.New("a read of nothing")
	case read.Name != "" && read.Error == nil:
		return errors.New("a failure without an error")
	}
	r.counted.Reads++
	selector := cluster.Selector{Fields: read.Fields, Labels: read.Labels, Keep: read.Keep}
	key := readKey{objectKey{read.Namespace, read.Name}, read.Form, selector}
	if read.Last != nil {
		key.selector.Narrow = true
		r.shelf(read.place).last[key] = objectKey{read.Last.Namespace, read.Last.Name}
	}
	r.shelf(read.place).reads[key] = read.Error
	return nil
}

// complete compares what was read with what was written.
func (r *Recording) complete() error {
	switch {
	case r.catalog == nil:
		return errors.New("it doesn't say what the cluster serves")
	case r.ended != r.counted:
		return fmt.Errorf("it is damaged: of %d objects and %d reads, only %d and %d are there",
			r.ended.Objects, r.ended.Reads, r.counted.Objects, r.counted.Reads)
	}
	path := func(key objectKey) string { return key.namespace + "/" + key.name }
	for _, shelf := range r.places { // the order in which an API server lists, by the storage key; pages at once
		slices.SortFunc(shelf.order, func(a, b objectKey) int {
			return cmp.Or(shelf.body(a, metadata).compare(shelf.body(b, metadata)), strings.Compare(path(a), path(b)))
		})
	}
	return nil
}

// Now implements cluster.Reader: the time of the recording.
func (r *Recording) Now() time.Time { return r.header.RecordedAt }

// Source implements cluster.Reader: manifests don't tell what the cluster serves.
func (r *Recording) Source() cluster.Source {
	switch {
	case r.undated:
		return cluster.FromUndated
	case r.catalog.Partial != "":
		return cluster.FromManifests
	}
	return cluster.FromRecording
}

// Terminating reports whether anything in it is being deleted.
func (r *Recording) Terminating() bool {
	deleted := []byte(`"deletionTimestamp":"`)
	for _, shelf := range r.places {
		for _, key := range shelf.order {
			if bytes.Contains(shelf.whole[key].Bytes(), deleted) || bytes.Contains(shelf.metadata[key].Bytes(), deleted) {
				return true
			}
		}
	}
	return false
}
