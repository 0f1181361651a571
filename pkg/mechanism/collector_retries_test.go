package mechanism

import (
	"fmt"
	"testing"
	"time"
)

// wroteOwners is the managedFields entry of a program that wrote owner references, and more fields of the metadata.
func wroteOwners(before time.Duration, more string) string {
	return fmt.Sprintf("managedFields: [{manager: kubectl-edit, operation: Update, apiVersion: v1, fieldsType: FieldsV1, "+
		"time: %s, fieldsV1: {'f:metadata': {'f:ownerReferences': {}%s}}}]", ago(before), more)
}

func TestRepairedReferences(t *testing.T) {
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion")+`, resourceVersion: "20"`)
	const waits = "wait ConfigMap shop/child"
	const retries = "  progress CollectorRetries ConfigMap shop/child"
	const may = "  open CollectorMayRetry ConfigMap shop/child"
	child := func(meta string) string { return configMap("child", ownedByMaps("owner")+", "+meta) }
	byDatabase := configMap("child", "creationTimestamp: "+ago(2*time.Hour)+", ownerReferences: ["+
		fmt.Sprintf(blockingReference, "owner", "owner")+
		", {apiVersion: shop.example.com/v1, kind: Database, name: d, uid: d}]")
	defined := func(before time.Duration) string {
		return manifest("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com",
			"creationTimestamp: "+ago(before), "spec: {group: shop.example.com, scope: Namespaced, "+
				"names: {plural: databases, kind: Database}, versions: [{name: v1, served: true, storage: true}]}")
	}
	runCases(t, []mechanismCase{
		{
			name:    "a reference that was changed a moment ago",
			objects: owner + child(wroteOwners(time.Minute, "")) + managerRuns(), told: []string{waits, retries},
		},
		{
			name:    "longer ago than the garbage collector ever waits",
			objects: owner + child(wroteOwners(17*time.Minute, "")) + managerRuns(), told: []string{waits, dependentLeft},
		},
		{
			name:    "before the deletion of the owner",
			objects: owner + child(wroteOwners(2*time.Hour, "")) + managerRuns(), told: []string{waits, dependentLeft},
		},
		{
			name:    "a program that writes more than references, which may be its heartbeat",
			objects: owner + child(wroteOwners(time.Minute, ", 'f:annotations': {}")+`, resourceVersion: "21"`) + managerRuns(),
			told:    []string{waits, dependentLeft},
		},
		{
			name:    "a change that nothing dates",
			objects: owner + child(wroteOwners(2*time.Hour, "")+`, resourceVersion: "21"`) + managerRuns(),
			told:    []string{waits, may},
		},
		{
			name: "a change that nothing dates, of what was created in the second of the deletion",
			objects: owner + child(wroteOwners(time.Hour, "")+`, resourceVersion: "21", creationTimestamp: `+ago(time.Hour)) +
				managerRuns(),
			told: []string{waits, may},
		},
		{
			name:    "no change since the deletion",
			objects: owner + child(wroteOwners(2*time.Hour, "")+`, resourceVersion: "19"`) + managerRuns(),
			told:    []string{waits, dependentLeft},
		},
		{
			name:    "the kind of another owner is defined again",
			objects: owner + byDatabase + defined(time.Minute) + managerRuns(), told: []string{waits, retries},
		},
		{
			name:    "it was defined long ago",
			objects: owner + byDatabase + defined(time.Hour) + managerRuns(), told: []string{waits, dependentLeft},
		},
		{
			name:    "nothing shows since when it is defined",
			objects: owner + byDatabase + defined(time.Hour) + managerRuns(), deny: "customresourcedefinitions",
			told: []string{waits, "  open DependentNotYetDeleted ConfigMap shop/child",
				"open OtherDependentsUnread ConfigMap shop/owner " +
					"key DependentKindsUnread,customresourcedefinitions.apiextensions.k8s.io"},
		},
	})
}
