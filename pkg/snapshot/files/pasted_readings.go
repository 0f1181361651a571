package files

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
)

// complete adds to what a table or a description shows of an object what another one has shown before, and reports
// whether it has: a description of a claim shows its pods, and a table whether these are being deleted. What has a uid,
// or metadata alone, was printed as a whole, to where it was cut off.
func complete(found *paste.Object, object *unstructured.Unstructured, before held) bool {
	shows := func(partial paste.Partial, deleted bool) bool {
		return partial == paste.Columns || partial == paste.MetadataOnly && deleted
	}
	if !shows(found.Partial, found.Deleted) || !shows(before.partial, before.deleted) || object.GetUID() != "" {
		return false
	}
	earlier := unstructured.Unstructured{}
	if json.Unmarshal(before.body.Bytes(), &earlier.Object) != nil || earlier.GetUID() != "" {
		return false
	}
	addMissing(object.Object, earlier.Object)
	if found.Silent {
		found.Deleted, found.DeletedAgo = before.deleted, before.ago
	}
	node, _, _ := unstructured.NestedString(object.Object, "spec", "nodeName")
	found.Partial = paste.Columns
	if object.GetKind() == "Pod" && found.Deleted && node == "" { // it may have one
		found.Partial = paste.MetadataOnly
	}
	return true
}

// addMissing adds the fields that are not there.
func addMissing(into, from map[string]any) {
	for key, value := range from {
		inner, isMap := into[key].(map[string]any)
		more, both := value.(map[string]any)
		if _, has := into[key]; !has {
			into[key] = value
		} else if isMap && both {
			addMissing(inner, more)
		}
	}
}
