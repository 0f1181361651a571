package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// reason is why something could not be read. A name that no object can have comes from a field of an object that was
// read whole, whatever followed it: the reason says which field, by its value. (What an owner reference names says so
// itself: objects with these may be known by their metadata only.)
func reason(reader *cluster.CachedReader, err error) string {
	var invalid *cluster.InvalidPart
	if !errors.As(err, &invalid) || error(invalid) != err || invalid.Value == "" {
		return err.Error()
	}
	var places []string
	reader.EachKnown(func(object *unstructured.Unstructured) {
		ref := finding.Ref{Kind: object.GetKind(), Namespace: object.GetNamespace(), Name: object.GetName()}
		for _, field := range fieldsWith(object.Object, invalid.Value, "", nil) {
			places = append(places, fmt.Sprintf("%s of %s", field, ref))
		}
	})
	slices.Sort(places)
	places = slices.Compact(places)
	if len(places) == 0 {
		return err.Error()
	}
	text := strings.Join(places[:min(len(places), mostPlaces)], ", ")
	if more := len(places) - mostPlaces; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s: %v", text, err)
}

// mostPlaces is how many fields are named that have the same value.
const mostPlaces = 3

// mostOfField is how long the path of a field may be that is named: the author of an object chooses it.
const mostOfField = 120

// fieldsWith returns the paths of the fields in which a value is, without the indexes of lists.
func fieldsWith(in any, value, path string, found []string) []string {
	switch in := in.(type) {
	case string:
		if in == value && len(path) <= mostOfField {
			return append(found, strings.TrimPrefix(path, "."))
		}
	case map[string]any:
		for key, field := range in {
			found = fieldsWith(field, value, path+"."+key, found)
		}
	case []any:
		for _, item := range in {
			found = fieldsWith(item, value, path, found)
		}
	}
	return found
}
