package print

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// ValidatePath returns an error for what is no JSONPath.
func ValidatePath(path string) error {
	_, err := parsePath(path)
	return err
}

// SortBy sorts the rows of a result, if it has rows, by what is at a JSONPath in the JSON of each, or in its object's
// metadata, as kubectl has it: .metadata.name. It is an error where no row has anything there.
func SortBy(answer result.Result, path string) error {
	switch one := answer.(type) {
	case *result.List:
		return sortBy(one.Items, path, metadataOfItem)
	case *result.Check:
		return sortBy(one.Findings, path, func(reported result.Finding) map[string]any { return metadataOf(reported.Object) })
	}
	return nil
}

func metadataOfItem(item result.ListItem) map[string]any {
	metadata := metadataOf(item.Target)
	metadata["deletionTimestamp"] = item.Deletion.RequestedAt.Format(time.RFC3339)
	if !item.CreatedAt.IsZero() {
		metadata["creationTimestamp"] = item.CreatedAt.UTC().Format(time.RFC3339)
	}
	labels := map[string]any{}
	for name, value := range item.Labels {
		labels[name] = value
	}
	metadata["labels"] = labels
	return metadata
}

func metadataOf(ref finding.Ref) map[string]any {
	metadata := map[string]any{"name": ref.Name, "uid": ref.UID}
	if ref.Namespace != "" {
		metadata["namespace"] = ref.Namespace
	}
	return metadata
}

func sortBy[T any](rows []T, text string, metadata func(T) map[string]any) error {
	path, err := parsePath(text)
	if err != nil {
		return err
	}
	type keyed struct {
		row T
		key any // nil for none, which comes first
	}
	all, known := make([]keyed, len(rows)), len(rows) == 0
	for i, row := range rows {
		fields, err := fieldsOf(row)
		if err != nil {
			return err
		}
		fields["metadata"] = metadata(row)
		all[i].row = row
		if values := valuesAt(fields, path); len(values) > 0 && values[0] != nil {
			all[i].key, known = values[0], true
		}
	}
	if !known {
		return fmt.Errorf("--sort-by %q: no row has this field", text)
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return compareKeys(a.key, b.key) })
	for i, one := range all {
		rows[i] = one.row
	}
	return nil
}

// compareKeys compares numbers as numbers, and all else as text: of times in RFC 3339 and UTC, that is their order.
func compareKeys(a, b any) int {
	number := func(value any) (as float64, is bool) {
		switch value := value.(type) {
		case int64:
			return float64(value), true
		case float64:
			return value, true
		}
		return 0, false
	}
	one, oneIs := number(a)
	other, otherIs := number(b)
	switch {
	case a == nil || b == nil:
		return cmp.Compare(boolRank(a != nil), boolRank(b != nil))
	case oneIs && otherIs:
		return cmp.Compare(one, other)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func boolRank(is bool) int {
	if is {
		return 1
	}
	return 0
}
