package statuses

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// SpeaksOfDeletion reports whether words are about something that is deleted, cleaned up or released. Some names may be
// in them, as for JudgeAbout.
func SpeaksOfDeletion(words string, names ...string) bool {
	return slices.ContainsFunc(Split(withoutNames(words, names...)), func(w word) bool {
		return slices.ContainsFunc([]string{
			"delet", "remov", "clean", "finali", "terminat", "releas", "destroy", "purg", "drain", "detach", "evict", "prun",
			"teardown", "uninstall", "deprovision", "deregister", "unregister", "revok", "drop", "wip", "eras", "empt",
			"decommission", "orphan", "garbage",
		}, func(stem string) bool { return strings.HasPrefix(w.Text, stem) })
	})
}

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
