package snapshot

import (
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Removed stands where something was that a recording doesn't hold.
const Removed = "(not recorded)"

// cleaner takes out of objects what a recording must not hold, before anything is written. It never
// changes what it is given: a diagnosis may be reading it.
//
// What programs are started with (environment values, commands, arguments) may be secret. A diagnosis
// looks in it for the names of storage drivers, of API groups and of finalizers (facts/mention.go), so those of them that
// were met before are all that is left of it.
type cleaner struct {
	mu      sync.RWMutex
	drivers []string
	// fields remembers what is kept of field sets: a controller writes the same one on all its objects.
	fields map[string][]byte
	// secret remembers which names of fields say that their values are secret.
	secret sync.Map
}

func newCleaner() *cleaner { return &cleaner{fields: map[string][]byte{}} }

// mostFieldSets bounds how many field sets are remembered.
const mostFieldSets = 2000

func (c *cleaner) ownFields(raw []byte) []byte {
	c.mu.RLock()
	kept, known := c.fields[string(raw)]
	c.mu.RUnlock()
	if known {
		return kept
	}
	kept = ownFields(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.fields) < mostFieldSets {
		c.fields[string(raw)] = kept
	}
	return kept
}

// ownFields keeps of a field set which metadata a manager holds, annotations excepted, and otherwise
// only which parts it writes: no diagnosis asks for more, and it is most of an object's size.
func ownFields(raw []byte) []byte {
	var fields map[string]any
	if json.Unmarshal(raw, &fields) != nil {
		return []byte("{}")
	}
	data, err := json.Marshal(partsOf(fields))
	if err != nil {
		return []byte("{}")
	}
	return data
}

func partsOf(fields map[string]any) map[string]any {
	kept := make(map[string]any, len(fields))
	for key := range fields {
		kept[key] = struct{}{}
	}
	if meta, is := fields["f:metadata"].(map[string]any); is {
		parts := maps.Clone(meta)
		delete(parts, "f:annotations")
		kept["f:metadata"] = parts
	}
	return kept
}

// longestAnnotation is the longest value that is kept: longer ones are copies of specs and states.
const longestAnnotation = 256

// annotation returns what is kept of an annotation: the values of those that Kubernetes and Helm
// define, for all others that they are there.
func (c *cleaner) annotation(key, value string) (string, bool) {
	if namesDriver(key) {
		c.meet(value)
	}
	domain, _, _ := strings.Cut(key, "/")
	known := domain == "helm.sh" || strings.HasSuffix(domain, ".helm.sh")
	for _, own := range []string{"kubernetes.io", "k8s.io"} {
		known = known || domain == own || strings.HasSuffix(domain, "."+own)
	}
	switch {
	case strings.Contains(key, "last-applied"):
		return "", false
	case !known || len(value) > longestAnnotation || secretKey(key):
		return Removed, true
	}
	return withoutTokens(value), true
}

// whole returns a copy of a whole object without secrets.
func (c *cleaner) whole(object *unstructured.Unstructured) map[string]any {
	if object.GetKind() == "CSIDriver" {
		c.meet(object.GetName())
	}
	clean, _ := c.value("", object.Object).(map[string]any)
	if group := object.GroupVersionKind().Group; !cluster.ServedByKubernetes(group) {
		for key, part := range clean {
			if key != "metadata" && key != "status" {
				clean[key] = short(part)
			}
		}
	}
	return clean
}

// longestOfCustom is the longest text that is kept of what people wrote into a custom resource: longer
// ones are scripts, certificates, configuration. Conditions, in its status, are quoted in answers.
const longestOfCustom = 128

// short takes out what is long, and what looks as if a machine had made it up to be hard to guess. It
// changes what it is given.
func short(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, one := range value {
			value[key] = short(one)
		}
	case []any:
		for i, one := range value {
			value[i] = short(one)
		}
	case string:
		if len(value) > longestOfCustom || strings.Contains(value, "\n") || random(value) {
			return Removed
		}
	}
	return value
}

// random tells whether a text is one long word of small and large letters and digits, as keys are.
func random(text string) bool {
	var small, large, digit bool
	for _, letter := range strings.TrimRight(text, "=") {
		switch {
		case letter >= 'a' && letter <= 'z':
			small = true
		case letter >= 'A' && letter <= 'Z':
			large = true
		case letter >= '0' && letter <= '9':
			digit = true
		case letter != '+' && letter != '/' && letter != '_':
			return false
		}
	}
	return len(text) >= 20 && small && large && digit
}

// value returns a copy of what stands under a key.
func (c *cleaner) value(key string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		clean := make(map[string]any, len(value))
		for inner, one := range value {
			if kept, keep := c.field(key, inner, one); keep {
				clean[inner] = kept
			}
		}
		return clean
	case []any:
		clean := make([]any, len(value))
		for i, one := range value {
			clean[i] = c.value(key, one)
		}
		return clean
	case string:
		return c.text(key, value)
	}
	return value
}

// field returns what is kept of a field of a map that stands under a key.
func (c *cleaner) field(within, key string, value any) (any, bool) {
	text, isText := value.(string)
	switch {
	case within == "annotations" && isText:
		return firstOf(c.annotation(key, text))
	case within == "env" && key == "value", within == "httpHeaders" && key == "value":
		return c.named(text), true
	case key == "fieldsV1":
		fields, _ := value.(map[string]any)
		return partsOf(fields), true
	case isText && namesDriver(key):
		c.meet(text)
	}
	if dropped(key) {
		return nil, false
	}
	return c.value(key, value), true
}

// LeavesOut tells whether a recording never holds a field, wherever in an object it stands: that it isn't
// there says nothing.
func LeavesOut(field string) bool { return dropped(field) }

// dropped tells whether nothing is kept of a field.
func dropped(key string) bool {
	switch key {
	case "data", "binaryData", "stringData", "volumeAttributes", "options", "parameters", // may be secret
		"openAPIV3Schema", "caBundle", "images", "volumesInUse", "volumesAttached": // are large, and tell nothing
		return true
	}
	return false
}

func firstOf(text string, keep bool) (any, bool) { return text, keep }
