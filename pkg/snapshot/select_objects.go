package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// broaderFields are selectors with fewer terms: a list by them has all that one with more terms selects.
func broaderFields(selector cluster.Selector) (broader []cluster.Selector) {
	for at := strings.LastIndexByte(selector.Fields, ','); at >= 0; at = strings.LastIndexByte(selector.Fields, ',') {
		selector.Fields = selector.Fields[:at]
		broader = append(broader, selector)
	}
	return broader
}

// selects returns a test for the JSON of what a selector selects. A field selector means the field of its name; an
// API server knows no more of them than that.
func selects(selector cluster.Selector) (func(body []byte) (bool, error), error) {
	wanted, err := fields.ParseSelector(selector.Fields)
	labelled, failed := labels.Parse(selector.Labels)
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	return func(body []byte) (bool, error) {
		if wanted.Empty() && labelled.Empty() {
			return true, nil
		}
		var content map[string]any
		if err := json.Unmarshal(body, &content); err != nil {
			return false, err
		}
		set := fields.Set{}
		for _, requirement := range wanted.Requirements() {
			value, found, err := unstructured.NestedFieldNoCopy(content, strings.Split(requirement.Field, ".")...)
			if found && err == nil {
				set[requirement.Field] = fmt.Sprint(value)
			}
		}
		own, _, _ := unstructured.NestedStringMap(content, "metadata", "labels")
		return wanted.Matches(set) && labelled.Matches(labels.Set(own)), nil
	}, nil
}
