package files

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// errPartial is why nothing is known about kinds without an object in the manifests.
var errPartial = errors.New("the files don't say what the cluster serves")

// assembly gathers objects that kubectl or oc has written. It knows of each what the file says, and that some lists are
// complete. By which name a kind is served is decided when all is there: its definition may come last.
type assembly struct {
	objects map[schema.GroupVersionKind]map[objectKey]held
	bodies  map[schema.GroupVersionKind]*snapshot.Bodies
	names   map[string]string // of namespaces, which many objects have
	count   int
	listed  []listing
	// kinds are known from Kubernetes itself or from definitions, plurals from the names of folders.
	kinds   map[schema.GroupVersionKind]cluster.Resource
	plurals map[location]bool
	newest  time.Time // time in any object
	beats   beats
	written time.Time // the newest file
	stamped time.Time // when a must-gather was made, or a clock was asked
	skipped []error
	skips   int
	pasted  pastedTexts
	// understood notes that what was read so far is taken in.
	understood func()
	// total and sinceObject are bytes that were read: in all, and since the last object was complete. weight is what
	// they take in memory once they are decoded.
	total, sinceObject int
	weight             int64
}

type objectKey struct{ namespace, name string }

// held is an object as JSON, and its resourceVersion. If it is deleted at a time that isn't in it, that was some time
// before the text was made, as far as is known.
type held struct {
	body    snapshot.Body
	version string
	ago     time.Duration
	partial paste.Partial
	deleted bool
}

// listing is a list that is complete, of one namespace or, for an empty one, of all.
type listing struct {
	kind      schema.GroupVersionKind
	namespace string
	metadata  bool // and no more than that
}

func newAssembly() *assembly {
	a := &assembly{
		objects: map[schema.GroupVersionKind]map[objectKey]held{},
		bodies:  map[schema.GroupVersionKind]*snapshot.Bodies{}, names: map[string]string{},
		kinds:   map[schema.GroupVersionKind]cluster.Resource{},
		plurals: map[location]bool{}, pasted: pastedTexts{guessed: map[string]int{}, answers: map[answered]bool{}},
	}
	for _, resource := range BuiltIn() {
		a.kinds[resource.GroupVersion().WithKind(resource.Kind)] = resource
	}
	return a
}

// mostObjects bounds the objects: each takes most of a kilobyte, however short it is.
const mostObjects = 1 << 20

// take takes in an object. Items of lists are handed in one by one.
func (a *assembly) take(fields map[string]any) error {
	partial := paste.Whole
	if paste.EndsEarly(fields) {
		partial = paste.MetadataOnly
	}
	return a.takeFound(paste.Object{Fields: fields, Partial: partial})
}

// takeFound takes in an object, or what a text shows of one.
func (a *assembly) takeFound(found paste.Object) error {
	object, err := identified(found.Fields)
	if err != nil {
		return err
	}
	if path, value := paste.Misread(found.Fields); path != "" {
		return fmt.Errorf("%s of a %s is %v, which is no text", path, object.GetKind(), value)
	}
	showStored(object)
	if object.GetKind() == "CustomResourceDefinition" && found.Partial == paste.Whole {
		a.define(object)
	}
	if object.GetName() == "" {
		return nil // a question to the API server, like a SubjectAccessReview, or its answer
	}
	kind, key := object.GroupVersionKind(), objectKey{once(a.names, object.GetNamespace()), object.GetName()}
	if secret(kind) { // nothing of its data is of interest
		object = &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Secret", "metadata": found.Fields["metadata"],
		}}
	}
	a.age(object)
	if found.Partial != paste.Whole && kind == namespaceKind() {
		found.Partial = paste.Columns
		holdNamespace(object)
	}
	before, has := a.objects[kind][key]
	completed := has && complete(&found, object, before)
	if found.Partial == paste.Columns {
		markPartial(object.Object)
	}
	body, err := object.MarshalJSON()
	if err != nil {
		return err
	}
	if a.objects[kind] == nil {
		a.objects[kind], a.bodies[kind] = map[objectKey]held{}, &snapshot.Bodies{}
	}
	if !has {
		if a.count++; a.count > mostObjects {
			return fmt.Errorf("%w: there are more than %d objects", errBeyond, mostObjects)
		}
	}
	reading := held{body: snapshot.Alone(body), version: object.GetResourceVersion(), partial: found.Partial}
	if reading.deleted = found.Deleted; found.Deleted {
		reading.ago = found.DeletedAgo
		a.pasted.ageless = a.pasted.ageless || found.DeletedAgo == 0
	}
	a.pasted.quoted = a.pasted.quoted || found.Partial == paste.Columns
	if has && !completed && !reading.replaces(before) {
		return nil
	}
	if reading.body, err = a.bodies[kind].Keep(body); err != nil {
		return err
	}
	a.objects[kind][key] = reading
	return nil
}

// once returns a text that many objects have, so that it is in memory once.
func once(names map[string]string, text string) string {
	if known, is := names[text]; is {
		return known
	}
	if len(names) < mostPlurals {
		names[text] = text
	}
	return text
}

func namespaceKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
}

func secret(kind schema.GroupVersionKind) bool { return kind.Group == "" && kind.Kind == "Secret" }

// drop takes out an object that has gone.
func (a *assembly) drop(fields map[string]any) error {
	object, err := identified(fields)
	if err != nil {
		return err
	}
	kind, key := object.GroupVersionKind(), objectKey{object.GetNamespace(), object.GetName()}
	before, has := a.objects[kind][key]
	order, err := resourceversion.CompareResourceVersion(object.GetResourceVersion(), before.version)
	if has && (err != nil || order >= 0) {
		delete(a.objects[kind], key)
		a.count--
	}
	return nil
}

// replaces says which of two readings of an object to believe: the one that has more of it, of these the newer one, and
// of one that didn't change the one that says more, such as managedFields.
func (h held) replaces(before held) bool {
	if h.partial != before.partial {
		return h.partial < before.partial
	}
	order, err := resourceversion.CompareResourceVersion(h.version, before.version)
	return err != nil || order > 0 || order == 0 && h.body.Len() >= before.body.Len()
}

// identified returns what says what it is, and is no deeper than objects are.
func identified(fields map[string]any) (*unstructured.Unstructured, error) {
	if err := tooDeep(fields, mostLevels); err != nil {
		return nil, err
	}
	one := &unstructured.Unstructured{Object: fields}
	if one.GetKind() == "" || one.GetAPIVersion() == "" {
		return nil, errNoObject
	}
	return one, nil
}
