package mechanism

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestOwnerUndiscovered has a dependent with another owner of a group that can't be discovered.
func TestOwnerUndiscovered(t *testing.T) {
	version := schema.GroupVersion{Group: "metrics.example.com", Version: "v1"}
	service := func(status string) string {
		return manifest("apiregistration.k8s.io/v1", "APIService", "", "v1.metrics.example.com", "", fmt.Sprintf(
			"spec: {group: metrics.example.com, version: v1, service: {namespace: ext, name: extension}}\n"+
				"status: {conditions: [{type: Available, status: %q, reason: ServiceNotFound, message: said}]}", status))
	}
	child := configMap("child", "ownerReferences: ["+fmt.Sprintf(blockingReference, "owner", "owner")+
		", {apiVersion: metrics.example.com/v1, kind: Thing, name: other, uid: other}]")
	const waits = "wait ConfigMap shop/child"
	unread := []string{waits, "  open NotRead"}
	down := []string{
		waits, "  wait APIService v1.metrics.example.com",
		"    cause APIServiceUnavailable OwnerServerDown APIService v1.metrics.example.com " +
			"key APIServiceDown,ext/extension,true",
	}
	for _, c := range []struct {
		name, objects, deny string
		since               time.Duration
		told                []string
	}{
		{name: "whose backend is missing", objects: service("False"), since: time.Hour, told: down},
		{name: "from the first moment on", objects: service("False"), since: 2 * time.Second, told: down},
		{name: "that counts as available", objects: service("True"), since: time.Hour, told: []string{waits, dependentLeft}},
		{name: "without an APIService", since: time.Hour, told: []string{waits, dependentLeft}},
		{name: "without an APIService, a moment ago", since: 2 * time.Second, told: unread},
		{
			name: "whose APIService may not be read", objects: service("False"), since: time.Hour, deny: "apiservices",
			told: append(unread, "open OtherDependentsUnread ConfigMap shop/owner "+
				"key DependentKindsUnread,apiservices.apiregistration.k8s.io"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			objects := configMap("owner", deleted(c.since, "foregroundDeletion")) + child + c.objects + managerRuns()
			tools := toolsWith(t, objects, func(memory *clustertest.Memory) {
				memory.Failed = map[schema.GroupVersion]error{version: errors.New("503")}
				memory.Deny(c.deny)
			})
			checkTold(t, c.told, askTools(t, tools, objects))
		})
	}
}
