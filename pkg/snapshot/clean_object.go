package snapshot

import (
	"errors"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Removed stands where something was that a recording doesn't hold.
const Removed = leftout.Mark

// cleaner keeps of objects what diagnoses read, and leaves everything else out before anything is written. It never
// changes what it is given: a diagnosis may be reading it. It is safe for several at once.
//
// What is kept of whole objects is declared by what reads it: the fields that the program selects (kept_fields.go), the
// ones that the catalogue, policies and definitions ask for (asked_fields.go), and, of what may be custom, fields that
// are shaped like references and reports (kept_shapes.go). Credentials are removed from texts that are kept.
type cleaner struct {
	questions *questions
	settings  mapSettings

	mu      sync.RWMutex
	drivers []string
	kinds   map[string]bool // words for the kinds that the cluster serves, in small letters; nil while not known

	managed memo[string, *metav1.FieldsV1] // by field set: a controller writes the same one on all its objects
	keeping memo[[2]string, keeping]       // by the names of a field's parent and of the field
	cleaned memo[string, string]           // texts, which repeat themselves
}

func newCleaner(known *plugins.Set) *cleaner { return &cleaner{questions: newQuestions(known)} }

// memo remembers what was found out, within bounds.
type memo[K comparable, V any] struct {
	mu    sync.RWMutex
	known map[K]V
}

const mostRemembered = 5000

func (m *memo[K, V]) get(key K, find func() V) V {
	m.mu.RLock()
	value, known := m.known[key]
	m.mu.RUnlock()
	if known {
		return value
	}
	value = find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[K]V{}
	}
	if len(m.known) < mostRemembered {
		m.known[key] = value
	}
	return value
}

var errNoObject = errors.New("the server answered with something that is not an object")

// whole returns what a recording holds of a whole object, and the object's metadata as it was. It fails for what isn't
// an object with a name.
func (c *cleaner) whole(
	resource cluster.Resource, object *unstructured.Unstructured,
) (map[string]any, *metav1.PartialObjectMetadata, error) {
	meta, err := metadataOf(resource, object)
	if err != nil {
		return nil, nil, err
	}
	c.settings.meet(meta.Namespace, object.Object)
	if resource.Kind == "CustomResourceDefinition" {
		c.questions.columns(object.Object)
	}
	asks := c.questions.of(resource)
	fields := map[string]any{
		"apiVersion": meta.APIVersion, "kind": meta.Kind, "metadata": c.metadata(resource, &meta.ObjectMeta),
	}
	w := walk{cleaner: c, shapes: custom(resource) || meta.DeletionTimestamp != nil}
	var reads *plan
	if !custom(resource) {
		reads = plans()[resource.GroupKind().String()]
	} else if resource.Scales && runsPods(object.Object) {
		reads = plans()["Deployment.apps"]
	}
	left := false
	for field, value := range object.Object {
		if _, has := fields[field]; has {
			continue
		}
		kept, keep := w.value(value,
			spot{reads: reads.field(field), asks: asks.field(field), area: field, field: field})
		if keep {
			fields[field] = kept
		}
		left = left || !keep
	}
	if left {
		fields[leftout.Mark] = absent(object.Object, spot{reads: reads, asks: asks})
	}
	return fields, meta, nil
}

// runsPods reports whether an object has a template of pods, as workloads have, or names the workload that has it.
func runsPods(object map[string]any) bool {
	containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
	_, refers, _ := unstructured.NestedMap(object, "spec", "workloadRef")
	return len(containers) > 0 || refers
}

// walk cleans the fields of an object.
type walk struct {
	*cleaner
	shapes bool // fields are kept for their shapes, too
}

// spot is where a walk has come to, and what is read there.
type spot struct {
	reads         *plan
	asks          *asked
	area          string // spec, status or another field of the object
	depth         int    // how many maps are between that and this
	parent, field string
	above         string // the field that parent is in
	shape         bool   // it is part of something that is kept for its shape
}

func (p spot) into(field string) spot {
	return spot{
		reads: p.reads.field(field), asks: p.asks.field(field), area: p.area, depth: p.depth + 1,
		above: p.parent, parent: p.field, field: field,
	}
}

// deepest is how many maps and lists are looked into; no API server stores what is nested much deeper.
const deepest = 64

// value returns a copy of what a recording holds of a field, or of an element of a list in it; false for nothing.
func (w walk) value(value any, at spot) (any, bool) {
	if at.depth > deepest {
		return nil, false
	}
	switch value := value.(type) {
	case map[string]any:
		return w.fields(value, at)
	case []any:
		return w.list(value, at)
	}
	wanted := at.shape || at.reads != nil && at.reads.kind == keptValue || at.asks != nil && at.asks.value
	if !wanted {
		return nil, false
	}
	keep := w.keepingOf(at.parent, at.field)
	if at.field == "path" && at.parent == "hostPath" && at.above == "volumes" { // a program may get a driver's name by it
		keep = keepMentions
	}
	if text, is := value.(string); is {
		return w.text(keep, text), true
	}
	if _, isTruth := value.(bool); keep == keepMentions || keep == keepMark && !isTruth && value != nil {
		return Removed, true
	}
	return value, true
}

// list returns what is kept of a list. The place of its elements tells something: what isn't kept of one is left empty.
func (w walk) list(all []any, at spot) (any, bool) {
	kept, something := make([]any, len(all)), at.reads != nil || len(all) == 0 && (at.asks != nil || at.shape)
	for i, one := range all {
		part, keep := w.value(one, at)
		if keep && i > 0 && limits(at.field, all[i-1], one) {
			part = one
		}
		if _, is := one.(map[string]any); !keep && is {
			part = map[string]any{leftout.Mark: []any{}}
		} else if !keep {
			part = Removed
		}
		kept[i], something = part, something || keep
	}
	return kept, something
}

// fields returns what is kept of a map, and whether that is anything. One that lacks fields says so.
func (w walk) fields(all map[string]any, at spot) (any, bool) {
	switch {
	case at.reads != nil && at.reads.kind == keptMetadata:
		return w.template(all), true
	case at.reads != nil && at.reads.kind == keptTexts, at.shape && (at.field == "matchLabels"):
		return w.labels(all), true
	}
	kept, left := map[string]any{}, false
	var shaped map[string]bool
	if w.shapes {
		shaped = w.shaped(all, at)
	}
	for field, value := range all {
		inner := at.into(field)
		inner.shape = shaped[field]
		part, keep := w.value(value, inner)
		if keep && field == "value" && limits(at.field, all["name"], value) {
			part = value
		}
		if keep {
			kept[field] = part
		}
		left = left || !keep
	}
	something := len(kept) > 0 || at.reads != nil || at.asks != nil
	if left && something {
		kept[leftout.Mark] = absent(all, at)
	}
	return kept, something || len(all) == 0 && at.shape
}

// absent are the fields that were looked for in a map and aren't there: of the others nothing is known.
func absent(all map[string]any, at spot) []any {
	missing := []any{}
	add := func(name string) {
		if _, there := all[name]; !there && !leftout.Lacks(all, name) && !slices.Contains(missing, any(name)) {
			missing = append(missing, name)
		}
	}
	if at.reads != nil {
		for name := range at.reads.fields {
			add(name)
		}
	}
	if at.asks != nil {
		for name := range at.asks.below {
			add(name)
		}
	}
	slices.SortFunc(missing, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return missing
}

func (c *cleaner) keepingOf(parent, field string) keeping {
	return c.keeping.get([2]string{parent, field}, func() keeping { return keepingOf(parent, field) })
}
