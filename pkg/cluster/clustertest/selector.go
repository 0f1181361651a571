package clustertest

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// selects returns a test for what a selector selects. Field selectors mean the fields of their name.
func selects(selector cluster.Selector) (func(*unstructured.Unstructured) bool, error) {
	wanted, err := fields.ParseSelector(selector.Fields)
	if err != nil {
		return nil, err
	}
	labelled, err := labels.Parse(selector.Labels)
	if err != nil {
		return nil, err
	}
	return func(object *unstructured.Unstructured) bool {
		set := fields.Set{}
		for _, requirement := range wanted.Requirements() {
			set[requirement.Field], _, _ = unstructured.NestedString(object.Object, strings.Split(requirement.Field, ".")...)
		}
		return wanted.Matches(set) && labelled.Matches(labels.Set(object.GetLabels()))
	}, nil
}
