package plugins

import (
	"fmt"
	"strings"

	"k8s.io/client-go/util/jsonpath"
)

// Values returns the values of a field of an object: nothing if the object doesn't have it.
func (f Field) Values(object map[string]any) []string {
	path := jsonpath.New(f.Says).AllowMissingKeys(true)
	if err := path.Parse(f.Path); err != nil {
		return nil
	}
	results, err := path.FindResults(object)
	if err != nil {
		return nil
	}
	var values []string
	for _, result := range results {
		for _, value := range result {
			if text := strings.TrimSpace(fmt.Sprint(value.Interface())); value.CanInterface() && text != "" &&
				text != "<nil>" {
				values = append(values, text)
			}
		}
	}
	return values
}
