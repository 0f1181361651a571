package mechanism

import (
	"fmt"
	"testing"
	"time"
)

const blockingReference = "{apiVersion: v1, kind: ConfigMap, name: %s, uid: configmap-%s, blockOwnerDeletion: true}"

// ownedByMaps is the metadata of a dependent of config maps, which block their deletion.
func ownedByMaps(owners ...string) string {
	references := ""
	for _, owner := range owners {
		references += fmt.Sprintf(blockingReference, owner, owner) + ", "
	}
	return "ownerReferences: [" + references + "]"
}

// byGhost is the owner references of a dependent of config map owner and of an object of a kind that isn't served.
func byGhost() string {
	return "ownerReferences: [" + fmt.Sprintf(blockingReference, "owner", "owner") +
		", {apiVersion: gone.example.com/v1, kind: Ghost, name: casper, uid: ghost}]"
}

func configMap(name, meta string) string { return manifest("v1", "ConfigMap", "shop", name, meta, "") }

const dependentLeft = "  cause DependentNotDeleted DependentLeft ConfigMap shop/child " +
	"key DependentLeft,ConfigMap shop/owner,configmaps"

func TestForegroundDeletion(t *testing.T) {
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	young := configMap("owner", deleted(2*time.Second, "foregroundDeletion"))
	child := configMap("child", ownedByMaps("owner"))
	const waits = "wait ConfigMap shop/child"
	tooLate := configMap("late", ownedByMaps("owner")+", creationTimestamp: "+ago(time.Minute))
	going := configMap("child", ownedByMaps("owner")+", "+deleted(time.Minute, "example.com/hold"))
	runCases(t, []mechanismCase{
		{
			name: "a dependent that was not deleted", objects: owner + child + managerRuns(),
			told: []string{waits, dependentLeft},
		},
		{
			name: "a dependent that has yet to be deleted", objects: young + child + managerRuns(),
			told: []string{waits, "  progress DependentToDelete ConfigMap shop/child"},
		},
		{
			name: "a dependent of which nobody knows whether somebody deletes it", objects: young + child + managerRuns(),
			deny: "leases",
			told: []string{
				waits, "  open DependentToDelete ConfigMap shop/child",
				"open OtherDependentsUnread ConfigMap shop/owner key DependentKindsUnread,leases.coordination.k8s.io",
			},
		},
		{
			name: "a dependent while the garbage collector is down", objects: owner + child + managerDown(),
			told: []string{waits, "  " + managerIsDown()[0], "  " + managerIsDown()[1]},
		},
		{
			name:    "one dependent that is going, and one that was made meanwhile",
			objects: owner + going + tooLate + managerRuns(),
			told:    []string{waits, "wait ConfigMap shop/late", "  later DependentCameLate ConfigMap shop/late"},
		},
		{name: "kinds that may not be read", objects: owner + child + managerRuns(), deny: "configmaps", told: []string{
			"open DependentKindsUnread ConfigMap shop/owner key DependentKindsUnread,configmaps",
		}},
		{
			name:    "a dependent that has gone, and other kinds that may not be read",
			objects: owner + going + managerRuns(), deny: "pods",
			told: []string{waits, "open OtherDependentsUnread ConfigMap shop/owner key DependentKindsUnread,pods"},
		},
		{
			name: "no dependent", objects: owner + managerDown(), told: managerIsDown(),
		},
		{
			name: "no dependent, and nobody lets go", objects: owner + managerRuns(),
			told: []string{"open DutyOverdue ConfigMap shop/owner"},
		},
	})
}

// TestUnblockedFirst is about a dependent that may be in a circle: one of its own dependents waits for its dependents.
func TestUnblockedFirst(t *testing.T) {
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	child := configMap("child", ownedByMaps("owner")+", resourceVersion: '1'")
	waiting := configMap("grandchild", ownedByMaps("child")+", "+deleted(time.Hour, "foregroundDeletion"))
	going := configMap("grandchild", ownedByMaps("child")+", "+deleted(time.Hour, "example.com/hold"))
	blocking := "size(object.metadata.?ownerReferences.orValue([]).filter(r, r.?blockOwnerDeletion.orValue(false)))"
	const waits = "wait ConfigMap shop/child"
	runCases(t, []mechanismCase{
		{
			name:    "a policy that denies the patch alone by which it no longer blocks its owners",
			objects: owner + child + waiting + managerRuns() + keepsReferences(blocking),
			told: []string{waits, "  wait ValidatingAdmissionPolicy keep-references",
				"    cause AdmissionDenied PolicyDenies ValidatingAdmissionPolicy keep-references"},
		},
		{
			name:    "a policy that lets that patch pass",
			objects: owner + child + waiting + managerRuns() + keepsReferences("1"), told: []string{waits, dependentLeft},
		},
		{
			name:    "no such patch is sent, because no dependent of it waits for dependents",
			objects: owner + child + going + managerRuns() + keepsReferences(blocking), told: []string{waits, dependentLeft},
		},
	})
}

func TestKeptDependent(t *testing.T) {
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	young := configMap("owner", deleted(2*time.Second, "foregroundDeletion"))
	child := configMap("child", ownedByMaps("owner", "other"))
	keeper := configMap("other", "")
	const waits = "wait ConfigMap shop/child"
	left := "  cause DependentNotDeleted ReferenceLeft ConfigMap shop/child"
	runCases(t, []mechanismCase{
		{name: "another owner that lives", objects: owner + child + keeper + managerRuns(), told: []string{waits, left}},
		{
			name: "another owner that is Terminating for other reasons", told: []string{waits, left},
			objects: owner + child + configMap("other", deleted(time.Hour, "example.com/hold")) + managerRuns(),
		},
		{
			name: "another owner that lives, and a moment ago", objects: young + child + keeper + managerRuns(),
			told: []string{waits, "  progress ReferenceToRemove ConfigMap shop/child"},
		},
		{
			name: "another owner that lives, and a policy that denies the patch alone that takes a reference away",
			objects: owner + child + keeper + managerRuns() +
				keepsReferences("size(object.metadata.?ownerReferences.orValue([]))"),
			told: []string{waits, "  wait ValidatingAdmissionPolicy keep-references",
				"    cause AdmissionDenied PolicyDenies ValidatingAdmissionPolicy keep-references"},
		},
		{
			name:    "another owner that lives, and a policy that lets that patch pass",
			objects: owner + child + keeper + managerRuns() + keepsReferences("2"), told: []string{waits, left},
		},
		{
			name: "another owner that is gone", objects: owner + child + managerRuns(),
			told: []string{waits, dependentLeft},
		},
	})
}

func TestRefusedReference(t *testing.T) {
	owner := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	const waits = "wait ConfigMap shop/child"
	node := manifest("v1", "Node", "", "child", ownedByMaps("owner"), "")
	byBoth := manifest("v1", "Node", "", "child", "ownerReferences: ["+
		"{apiVersion: v1, kind: ConfigMap, name: other, uid: other}, "+
		"{apiVersion: v1, kind: Node, name: n1, uid: node-n1, blockOwnerDeletion: true}]", "")
	runCases(t, []mechanismCase{
		{
			name: "another owner of a kind that isn't served", objects: owner + configMap("child", byGhost()) + managerRuns(),
			told: []string{waits, "  cause UnresolvableOwner OtherOwnerUnserved ConfigMap shop/child"},
		},
		{
			name: "a dependent without a namespace", objects: owner + node + managerRuns(),
			told: []string{"wait Node child", "  cause InvalidOwnerReference ClusterScopedDependent Node child"},
		},
		{
			name:    "a dependent without a namespace, of which another owner has one",
			objects: manifest("v1", "Node", "", "n1", deleted(time.Hour, "foregroundDeletion"), "") + byBoth + managerRuns(),
			told:    []string{"wait Node child", "  cause InvalidOwnerReference ClusterScopedWithOther Node child"},
		},
		{
			name:    "while the garbage collector is down, both are told",
			objects: owner + configMap("child", byGhost()) + managerDown(),
			told: []string{
				waits, "  " + managerIsDown()[0], "  " + managerIsDown()[1],
				"  cause UnresolvableOwner OtherOwnerUnserved ConfigMap shop/child",
			},
		},
	})
}

// keepsReferences is a policy on updates of ConfigMaps, which keep as many owner references as an expression tells.
func keepsReferences(count string) string {
	const policies = "admissionregistration.k8s.io/v1"
	return manifest(policies, "ValidatingAdmissionPolicy", "", "keep-references", "", "spec: {failurePolicy: Fail, "+
		"matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations: [UPDATE], resources: "+
		"[configmaps]}]}, validations: [{expression: '"+count+
		" == size(oldObject.metadata.?ownerReferences.orValue([]))'}]}") +
		manifest(policies, "ValidatingAdmissionPolicyBinding", "", "keep-references", "",
			"spec: {policyName: keep-references, validationActions: [Deny]}")
}
