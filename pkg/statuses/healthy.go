package statuses

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Healthy reports whether the conditions of an object say that it is well: one that is good when true holds, and none
// says that something is wrong.
func Healthy(object *unstructured.Unstructured) bool {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	conditions := conditionsOf(status)
	return slices.ContainsFunc(conditions, func(one condition) bool {
		return polarityOf(one.kind) == good && one.status == "True"
	}) && !slices.ContainsFunc(conditions, func(one condition) bool {
		return troubled(one.kind, one.status, one.words()) || polarityOf(one.kind) == good && one.status == "False"
	})
}
