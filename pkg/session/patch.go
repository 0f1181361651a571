package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Operation is one step of a JSON patch.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value string `json:"value,omitempty"`
}

// RemovalPatch is a JSON patch that removes every entry of some finalizers and nothing else. It fails
// if the object was replaced or its list has changed since it was read (deletion-mechanics C.1).
func RemovalPatch(object *Object, finalizers ...string) string {
	patch := []Operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, entry := range slices.Backward(object.Meta.Finalizers) { // from the end, so that indexes hold
		if slices.Contains(finalizers, entry) {
			path := fmt.Sprintf("/metadata/finalizers/%d", i)
			patch = append(patch, Operation{Op: "test", Path: path, Value: entry}, Operation{Op: "remove", Path: path})
		}
	}
	return EncodePatch(patch)
}

// DisownPatch is a JSON patch that removes an object's references to one owner and nothing else.
// It fails as RemovalPatch does.
func DisownPatch(object *Object, ownerUID string) string {
	patch := []Operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, owner := range slices.Backward(object.Meta.OwnerReferences) {
		if string(owner.UID) == ownerUID {
			path := fmt.Sprintf("/metadata/ownerReferences/%d", i)
			same := Operation{Op: "test", Path: path + "/uid", Value: ownerUID}
			patch = append(patch, same, Operation{Op: "remove", Path: path})
		}
	}
	return EncodePatch(patch)
}

// EncodePatch writes a JSON patch as one line.
func EncodePatch(patch []Operation) string {
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(patch); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSpace(encoded.String())
}
