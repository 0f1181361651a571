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
	for _, entry := range fields {
		if !holds(entry.FieldsV1.GetRawBytes(), path) {
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

func holds(set []byte, path []string) bool {
	for _, key := range path {
		var fields map[string]json.RawMessage
		if json.Unmarshal(set, &fields) != nil || fields[key] == nil {
			return false
		}
		set = fields[key]
	}
	return true
}
