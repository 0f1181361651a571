package clustertest

import (
	"fmt"
	"strings"
)

// Object is an object as YAML: in namespace shop, or where its name says (NAMESPACE/NAME), in none where that begins
// with a slash. Its uid is its kind and name. meta is more of its metadata, in a line; rest are its other fields.
func Object(apiVersion, kind, name, meta, rest string) string {
	namespace := "shop"
	if before, after, elsewhere := strings.Cut(name, "/"); elsewhere {
		namespace, name = before, after
	}
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\n"+
		"metadata: {namespace: %q, name: %s, uid: %s-%s, resourceVersion: \"7\"%s}\n%s",
		apiVersion, kind, namespace, name, strings.ToLower(kind), name, meta, rest)
}
