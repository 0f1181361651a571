package mechanism

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// operation is one step of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value string `json:"value,omitempty"`
}

// removalPatch is a JSON patch that removes every entry of some finalizers and nothing else. It fails
// if the object was replaced or its list has changed since it was read (deletion-mechanics C.1).
func removalPatch(object *Object, finalizers ...string) string {
	patch := []operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, entry := range slices.Backward(object.Meta.Finalizers) { // from the end, so that indexes hold
		if slices.Contains(finalizers, entry) {
			path := fmt.Sprintf("/metadata/finalizers/%d", i)
			patch = append(patch, operation{Op: "test", Path: path, Value: entry}, operation{Op: "remove", Path: path})
		}
	}
	return encodePatch(patch)
}

// disownPatch is a JSON patch that removes an object's references to one owner and nothing else.
// It fails as removalPatch does.
func disownPatch(object *Object, ownerUID string) string {
	patch := []operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, owner := range slices.Backward(object.Meta.OwnerReferences) {
		if string(owner.UID) == ownerUID {
			path := fmt.Sprintf("/metadata/ownerReferences/%d", i)
			patch = append(patch, operation{Op: "test", Path: path + "/uid", Value: ownerUID}, operation{Op: "remove", Path: path})
		}
	}
	return encodePatch(patch)
}

func encodePatch(patch []operation) string {
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(patch); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSpace(encoded.String())
}
