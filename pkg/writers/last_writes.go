package writers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LastWrite is the last write of a field manager to an object, and what it holds of that.
type LastWrite struct {
	Manager    string
	At         time.Time
	Parts      []string // finalizers, labels, spec, status, scale, sorted; annotations are left out
	Finalizers []string // that it has set, then or before
	// Released says that it had set a finalizer that was removed since: it holds the list and no entry of it
	// (sigs.k8s.io/structured-merge-diff/v6 merge/update.go:update: what is removed is taken from all managers).
	Released bool
	// OnlyOwners says that it holds owner references and nothing else: it wrote them then.
	OnlyOwners bool
}

// LastWrites returns the writes to an object in its managedFields, the oldest first. Earlier writes of the same manager
// leave no trace.
func LastWrites(fields []metav1.ManagedFieldsEntry) (writes []LastWrite) {
	for _, entry := range fields {
		if entry.Time == nil {
			continue
		}
		write := writeOf(entry)
		same := slices.IndexFunc(writes, func(lastWrite LastWrite) bool {
			return lastWrite.Manager == write.Manager && lastWrite.At.Equal(write.At)
		})
		if same < 0 {
			writes = append(writes, write)
			continue
		}
		one := &writes[same]
		one.Parts, one.Finalizers = sorted(one.Parts, write.Parts), sorted(one.Finalizers, write.Finalizers)
		one.Released, one.OnlyOwners = one.Released || write.Released, one.OnlyOwners && write.OnlyOwners
	}
	slices.SortStableFunc(writes, func(a, b LastWrite) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Manager, b.Manager))
	})
	return writes
}

func sorted(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

func writeOf(entry metav1.ManagedFieldsEntry) LastWrite {
	write := LastWrite{Manager: entry.Manager, At: entry.Time.Time}
	var set map[string]map[string]json.RawMessage
	if json.Unmarshal(entry.FieldsV1.GetRawBytes(), &set) != nil {
		return write // a field set that can't be read has no parts
	}
	parts := slices.Collect(maps.Keys(set))
	if metadata, writes := set["f:metadata"]; writes {
		parts = slices.AppendSeq(parts, maps.Keys(metadata))
	}
	write.OnlyOwners = len(set) == 1 && len(set["f:metadata"]) == 1 && slices.Contains(parts, "f:ownerReferences")
	for _, part := range parts {
		part = strings.TrimPrefix(part, "f:")
		switch {
		case part == "metadata", part == "annotations", part == ".":
		case part == "spec" && entry.Subresource == "scale":
			write.Parts = append(write.Parts, "scale")
		default:
			write.Parts = append(write.Parts, part)
		}
	}
	write.Parts = sorted(write.Parts, nil)
	var entries map[string]json.RawMessage
	if json.Unmarshal(set["f:metadata"]["f:finalizers"], &entries) != nil {
		return write
	}
	for key := range entries {
		var name string
		if value, is := strings.CutPrefix(key, "v:"); is && json.Unmarshal([]byte(value), &name) == nil {
			write.Finalizers = append(write.Finalizers, name)
		}
	}
	slices.Sort(write.Finalizers)
	write.Released = len(write.Finalizers) == 0
	return write
}
