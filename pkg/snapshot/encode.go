package snapshot

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// encodeMetadata is json.Marshal for what there is most of in a recording, without its reflection. The
// fields stand in the order of their declaration; TestEncodeMetadata compares the two.
func encodeMetadata(meta *metav1.PartialObjectMetadata) []byte {
	e := encoder{data: make([]byte, 0, 1024)}
	e.open()
	e.text("kind", meta.Kind)
	e.text("apiVersion", meta.APIVersion)
	e.key("metadata")
	e.open()
	e.text("name", meta.Name)
	e.text("generateName", meta.GenerateName)
	e.text("namespace", meta.Namespace)
	e.text("uid", string(meta.UID))
	e.text("resourceVersion", meta.ResourceVersion)
	e.number("generation", meta.Generation)
	if !meta.CreationTimestamp.IsZero() {
		e.time("creationTimestamp", &meta.CreationTimestamp)
	}
	e.time("deletionTimestamp", meta.DeletionTimestamp)
	if meta.DeletionGracePeriodSeconds != nil {
		e.key("deletionGracePeriodSeconds")
		e.data = strconv.AppendInt(e.data, *meta.DeletionGracePeriodSeconds, 10)
	}
	e.texts("labels", meta.Labels)
	e.texts("annotations", meta.Annotations)
	e.rest("ownerReferences", len(meta.OwnerReferences), meta.OwnerReferences)
	e.rest("finalizers", len(meta.Finalizers), meta.Finalizers)
	e.managed(meta.ManagedFields)
	return append(e.data, '}', '}')
}

type encoder struct{ data []byte }

func (e *encoder) open() { e.data = append(e.data, '{') }

func (e *encoder) key(name string) {
	if e.data[len(e.data)-1] != '{' {
		e.data = append(e.data, ',')
	}
	e.string(name)
	e.data = append(e.data, ':')
}

// string writes a text. What needs escapes is left to encoding/json.
func (e *encoder) string(text string) {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			e.any(text)
			return
		}
	}
	e.data = append(append(append(e.data, '"'), text...), '"')
}

func (e *encoder) any(value any) {
	encoded, err := json.Marshal(value)
	if err != nil { // texts and maps of texts have none
		encoded = []byte("null")
	}
	e.data = append(e.data, encoded...)
}

func (e *encoder) text(name, text string) {
	if text != "" {
		e.key(name)
		e.string(text)
	}
}

func (e *encoder) number(name string, number int64) {
	if number != 0 {
		e.key(name)
		e.data = strconv.AppendInt(e.data, number, 10)
	}
}

func (e *encoder) time(name string, at *metav1.Time) {
	if at != nil {
		e.key(name)
		e.data = append(at.UTC().AppendFormat(append(e.data, '"'), time.RFC3339), '"')
	}
}

func (e *encoder) texts(name string, texts map[string]string) {
	if len(texts) == 0 {
		return
	}
	e.key(name)
	e.open()
	keys := make([]string, 0, len(texts))
	for key := range texts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		e.key(key)
		e.string(texts[key])
	}
	e.data = append(e.data, '}')
}

func (e *encoder) rest(name string, count int, value any) {
	if count > 0 {
		e.key(name)
		e.any(value)
	}
}

// managed writes the entries of field managers. What is in their fields was encoded before.
func (e *encoder) managed(entries []metav1.ManagedFieldsEntry) {
	if len(entries) == 0 {
		return
	}
	e.key("managedFields")
	e.data = append(e.data, '[')
	for i, entry := range entries {
		if i > 0 {
			e.data = append(e.data, ',')
		}
		e.open()
		e.text("manager", entry.Manager)
		e.text("operation", string(entry.Operation))
		e.text("apiVersion", entry.APIVersion)
		e.time("time", entry.Time)
		e.text("fieldsType", entry.FieldsType)
		if entry.FieldsV1 != nil {
			e.key("fieldsV1")
			if raw := entry.FieldsV1.GetRawString(); raw == "" {
				e.data = append(e.data, "null"...)
			} else {
				e.data = append(e.data, raw...)
			}
		}
		e.text("subresource", entry.Subresource)
		e.data = append(e.data, '}')
	}
	e.data = append(e.data, ']')
}
