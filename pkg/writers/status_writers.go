package writers

import (
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Written is one write to an object.
type Written struct {
	Manager string
	At      time.Time
}

// StatusWritten returns the last write to an object's status, by managedFields.
func StatusWritten(fields []metav1.ManagedFieldsEntry) (last Written) {
	for _, entry := range fields {
		var set struct {
			Status json.RawMessage `json:"f:status"`
		}
		if entry.Time == nil || !entry.Time.After(last.At) || json.Unmarshal(entry.FieldsV1.GetRawBytes(), &set) != nil {
			continue
		}
		if entry.Subresource == "status" || set.Status != nil {
			last = Written{Manager: entry.Manager, At: entry.Time.Time}
		}
	}
	return last
}

// Writers returns the managers that hold a field, given by its keys in a field set: f:status, f:phase. Several may.
func Writers(fields []metav1.ManagedFieldsEntry, path ...string) (writers []Written) {
	return writersOf(fields, path, func(json.RawMessage) bool { return true })
}

// Whole returns the managers that hold a field as a whole, and not some of what is in it: a list that is no map, or a
// single value.
func Whole(fields []metav1.ManagedFieldsEntry, path ...string) (writers []Written) {
	return writersOf(fields, path, func(set json.RawMessage) bool { return string(set) == "{}" })
}

func writersOf(
	fields []metav1.ManagedFieldsEntry, path []string, fits func(set json.RawMessage) bool,
) (writers []Written) {
	for _, entry := range fields {
		set, held := below(entry.FieldsV1.GetRawBytes(), path)
		if !held || !fits(set) {
			continue
		}
		written := Written{Manager: entry.Manager}
		if entry.Time != nil {
			written.At = entry.Time.Time
		}
		writers = append(writers, written)
	}
	return writers
}

// below returns what a field set has below a path, if it has the path.
func below(set json.RawMessage, path []string) (json.RawMessage, bool) {
	for _, key := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(set, &fields) != nil || fields[key] == nil {
			return nil, false
		}
		set = fields[key]
	}
	return set, true
}
