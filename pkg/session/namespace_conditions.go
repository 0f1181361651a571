package session

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// RemainingResources reads the resources from the message of NamespaceContentRemaining: "Some
// resources are remaining: R.G has N resource instances, …". The core group has an empty name and
// leaves a trailing dot (deletion-mechanics B.2, trap T2).
func RemainingResources(message string) []schema.GroupResource {
	instances := regexp.MustCompile(`([a-z0-9-]+)\.([a-z0-9.-]*) has \d+ resource instances`)
	var found []schema.GroupResource
	for _, match := range instances.FindAllStringSubmatch(message, -1) {
		found = append(found, schema.GroupResource{Group: match[2], Resource: match[1]})
	}
	return found
}

// OnlyPodsRemain tells whether a message of NamespaceDeletionContentFailure says no more than that
// pods without finalizers are left, which listing the pods shows better.
func OnlyPodsRemain(message string) bool {
	_, failures, found := strings.Cut(message, "remaining: ")
	if !found {
		return false
	}
	for failure := range strings.SplitSeq(failures, ", unexpected items") {
		if !strings.HasSuffix(failure, "for gvr: /v1, Resource=pods") {
			return false
		}
	}
	return true
}
