package snapshot

import (
	"errors"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Removed stands where something was that a recording doesn't hold.
const Removed = "(not recorded)"

// cleaner takes out of objects what a recording must not hold, before anything is written. It never changes what it is
// given: a diagnosis may be reading it. It is safe for several at once. What programs are started with (environment
// values, commands, arguments) may be secret: all that is left of it are those names of storage drivers, API groups
// and finalizers that were met before, which a diagnosis looks for (session/mention.go).
type cleaner struct {
	mu      sync.RWMutex
	drivers []string
	managed memo[string, *metav1.FieldsV1] // by field set: a controller writes the same one on all its objects
	keeping memo[[2]string, keeping]       // by the names of a field's parent and of the field
}

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

var errNoObject = errors.New("the server answered something that is no object")

// whole returns what a recording holds of a whole object, and the object's metadata as it was. It fails for what isn't
// an object with a name.
func (c *cleaner) whole(
	resource cluster.Resource, object *unstructured.Unstructured,
) (map[string]any, *metav1.PartialObjectMetadata, error) {
	meta, err := metadataOf(resource, object)
	if err != nil {
		return nil, nil, err
	}
	if resource.Kind == "CSIDriver" {
		c.meet(meta.Name)
	}
	fields := map[string]any{"apiVersion": meta.APIVersion, "kind": meta.Kind, "metadata": c.metadata(&meta.ObjectMeta)}
	for field, value := range object.Object {
		w := walk{c, custom(resource) && field != "status"} // conditions, in the status, are quoted in answers
		if _, has := fields[field]; has {
			continue
		}
		if kept, keep := w.value("", field, value); keep {
			fields[field] = kept
		}
	}
	return fields, meta, nil
}

// walk cleans the fields of an object.
type walk struct {
	*cleaner
	// shortens also removes texts that are long or that look generated: people have written them into a custom resource.
	shortens bool
}

// value returns a copy of what a recording holds of a field, or of an element of a list in it; false for nothing.
func (w walk) value(parent, field string, value any) (any, bool) {
	keep := w.keepingOf(parent, field)
	if keep == keepNothing {
		return nil, false
	}
	switch value := value.(type) {
	case string:
		return w.text(keep, field, value)
	case []any:
		kept := make([]any, len(value))
		for i, one := range value {
			kept[i], _ = w.value(parent, field, one)
		}
		return kept, true
	case map[string]any:
		if keep == keepMentions {
			return Removed, true
		}
		kept := make(map[string]any, len(value))
		for inner, one := range value {
			if part, keep := w.value(field, inner, one); keep {
				kept[inner] = part
			}
		}
		return kept, true
	}
	_, isTruth := value.(bool)
	if keep == keepMentions || keep == keepMark && !isTruth && value != nil { // automountServiceAccountToken is no secret
		return Removed, true
	}
	return value, true
}

// text returns what a recording holds of a text.
func (w walk) text(keep keeping, field, text string) (string, bool) {
	switch keep {
	case keepMark:
		text = Removed
	case keepMentions:
		text = w.named(text)
	case keepAnnotation:
		var kept bool
		if text, kept = w.annotation(field, text); !kept {
			return "", false
		}
	case keepFinalizer:
		w.meetFinalizer(text)
	case keepExpression:
	case keepDriver:
		w.meet(text)
		fallthrough
	default:
		text = withoutCredentials(text)
	}
	if w.shortens && (len(text) > longestOfCustom || strings.Contains(text, "\n") || random(text)) {
		text = Removed
	}
	return text, true
}

// longestOfCustom is the longest text that is kept of what people wrote into a custom resource: longer
// ones are scripts, certificates, configuration.
const longestOfCustom = 128

func (c *cleaner) keepingOf(parent, field string) keeping {
	return c.keeping.get([2]string{parent, field}, func() keeping { return keepingOf(parent, field) })
}
