package snapshot

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Removed stands where something was that a recording doesn't hold.
const Removed = "(not recorded)"

// cleaner takes out of objects what a recording must not hold, before anything is written. It never
// changes what it is given: a diagnosis may be reading it.
//
// What programs are started with (environment values, commands, arguments) may be secret. A diagnosis
// looks in it for one thing, the name of a storage driver (mechanism/storage_driver.go), so the names of
// the drivers that were seen before are what is left of it.
type cleaner struct {
	mu      sync.RWMutex
	drivers []string
}

func newCleaner() *cleaner { return &cleaner{} }

// metadata returns a copy of an object's metadata without secrets.
func (c *cleaner) metadata(meta *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	clean := *meta
	if meta.Annotations != nil {
		clean.Annotations = make(map[string]string, len(meta.Annotations))
		for key, value := range meta.Annotations {
			if namesDriver(key) {
				c.meet(value)
			}
			if kept, keep := annotation(key, value); keep {
				clean.Annotations[key] = kept
			}
		}
	}
	clean.ManagedFields = slices.Clone(meta.ManagedFields)
	for i := range clean.ManagedFields {
		if fields := clean.ManagedFields[i].FieldsV1; fields != nil {
			clean.ManagedFields[i].FieldsV1 = metav1.NewFieldsV1(string(ownFields(fields.GetRawBytes())))
		}
	}
	return &clean
}

// ownFields keeps of a field set which metadata a manager holds, annotations excepted, and otherwise
// only which parts it writes: no diagnosis asks for more, and it is most of an object's size.
func ownFields(raw []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return []byte("{}")
	}
	kept := make(map[string]any, len(fields))
	for key := range fields {
		kept[key] = struct{}{}
	}
	var meta map[string]json.RawMessage
	if json.Unmarshal(fields["f:metadata"], &meta) == nil && meta != nil {
		delete(meta, "f:annotations")
		kept["f:metadata"] = meta
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return []byte("{}")
	}
	return data
}

// longestAnnotation is the longest value that is kept: longer ones are copies of specs and states.
const longestAnnotation = 256

// annotation returns what is kept of an annotation: the values of those that Kubernetes and Helm
// define, for all others that they are there.
func annotation(key, value string) (string, bool) {
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
	return clean
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
		if namesDriver(key) {
			c.meet(text)
		}
		return firstOf(annotation(key, text))
	case within == "env" && key == "value", within == "httpHeaders" && key == "value":
		return c.named(text), true
	case key == "fieldsV1":
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, false
		}
		return json.RawMessage(ownFields(raw)), true
	case isText && namesDriver(key):
		c.meet(text)
	}
	switch key {
	case "data", "binaryData", "stringData", "volumeAttributes", "options", "parameters", // may be secret
		"openAPIV3Schema", "caBundle", "images", "volumesInUse", "volumesAttached": // are large, and tell nothing
		return nil, false
	}
	return c.value(key, value), true
}

func firstOf(text string, keep bool) (any, bool) { return text, keep }

func (c *cleaner) text(key, value string) string {
	switch key {
	case "command", "args":
		return c.named(value)
	case "expression", "messageExpression":
		return value // a program that compares tokens isn't one
	}
	if secretKey(key) {
		return Removed
	}
	return withoutTokens(value)
}

// secretKey tells whether a field's name says that its value is secret.
func secretKey(key string) bool {
	key = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(key))
	for _, word := range []string{"password", "passwd", "passphrase", "token", "secret", "apikey", "privatekey", "accesskey", "secretkey", "credential", "credentials"} {
		if strings.HasSuffix(key, word) {
			return true
		}
	}
	return strings.Contains(key, "tokensecret")
}

// namesDriver tells whether what stands under a key is the name of something that acts for Kubernetes
// (a storage driver, what runs a Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(key string) bool {
	switch key {
	case "driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to", "volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner":
		return true
	}
	return false
}

// meet remembers such a name.
func (c *cleaner) meet(name string) {
	c.mu.RLock()
	known := name == "" || slices.Contains(c.drivers, name)
	c.mu.RUnlock()
	if known {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.drivers) < mostDrivers && !slices.Contains(c.drivers, name) {
		c.drivers = append(c.drivers, name)
	}
}

// mostDrivers is more than any cluster has.
const mostDrivers = 1000

// named returns the names of drivers that stand in a text.
func (c *cleaner) named(text string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	kept := Removed
	for _, driver := range c.drivers {
		if strings.Contains(text, driver) {
			kept += " " + driver
		}
	}
	return kept
}

// withoutTokens takes out of a text what by its form is a credential: JSON web tokens, private keys,
// passwords in addresses and in assignments.
func withoutTokens(text string) string {
	if len(text) < 8 {
		return text
	}
	for _, form := range credentialForms() {
		if strings.Contains(text, form.hint) || form.hint == "" {
			text = form.expression().ReplaceAllString(text, form.with)
		}
	}
	return text
}

type credentialForm struct {
	hint       string // no text without it is looked at
	expression func() *regexp.Regexp
	with       string
}

// credentialForms is a function of expressions that are compiled once, and only when they are needed.
var credentialForms = sync.OnceValue(func() []credentialForm {
	lazily := func(expression string) func() *regexp.Regexp {
		return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	}
	assigned := lazily(`(?i)((?:password|passwd|passphrase|token|secret|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)["']?\s*[=]\s*)[^\s&,;]+`)
	return []credentialForm{
		{"eyJ", lazily(`eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]+)*`), Removed},
		{"-----BEGIN", lazily(`(?s)-----BEGIN [A-Z ]*-----.*?(-----END [A-Z ]*-----|$)`), Removed},
		{"://", lazily(`://[^/\s@:"]*:[^/\s@"]*@`), "://" + Removed + "@"},
		{"earer ", lazily(`([Bb]earer )\S+`), "${1}" + Removed},
		{"AKIA", lazily(`AKIA[A-Z0-9]{12,}`), Removed},
		{"=", assigned, "${1}" + Removed},
	}
})

// clean takes credentials out of what a server said.
func (e *Error) clean() *Error {
	if e == nil {
		return nil
	}
	e.Message = withoutTokens(e.Message)
	if e.Status != nil {
		e.Status.Message = withoutTokens(e.Status.Message)
		if e.Status.Details != nil {
			details := *e.Status.Details
			details.Causes = slices.Clone(details.Causes)
			for i := range details.Causes {
				details.Causes[i].Message = withoutTokens(details.Causes[i].Message)
			}
			e.Status.Details = &details
		}
	}
	return e
}
