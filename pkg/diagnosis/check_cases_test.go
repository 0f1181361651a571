package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// checkCase is a cluster and what is wrong in it: SEVERITY REASON FLAW OBJECT, and a count.
type checkCase struct {
	name, namespace, deny, failed string
	objects                       []string
	want                          []string
	says, notSays                 []string
	meanwhile                     func(*clustertest.Memory) // changes the cluster before a second look
}

func checkCases() []checkCase {
	owner, childOf := configMap("owner", ""), configMap("child", owned("owner", true))
	elsewhere := object("v1", "ConfigMap", "elsewhere", "owner", "", "")
	role := object("v1", "Node", "", "role", owned("owner", true), "")
	ghost := reference("gone.example.com/v1", "Ghost", "casper", "ghost")
	event := "apiVersion: v1\nkind: Event\nmetadata: {namespace: default, name: role.1, uid: event-1}\n" +
		"reason: OwnerRefInvalidNamespace\n" +
		"involvedObject: {apiVersion: v1, kind: Node, name: role, uid: node-role}\n" +
		"message: 'ownerRef [v1/ConfigMap, namespace: , name: owner, uid: configmap-owner] does not exist in " +
		"namespace \"\"'\n"
	database := func(finalizers string) string {
		return object("shop.example.com/v1", "Database", "shop", "orders", "finalizers: ["+finalizers+"]", "")
	}
	return []checkCase{{
		name: "A1 a valid reference", objects: []string{owner, childOf},
	}, {
		name: "A2 an absent owner", objects: []string{childOf},
		want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child"},
	}, {
		name:    "A2 an owner that went a moment ago, whose dependents the collector deletes meanwhile",
		objects: many(40, owned("gone", false)), meanwhile: remove(40),
	}, {
		name: "A2 an absent owner of an object that is as young as the collector may be late",
		objects: []string{configMap("child",
			owned("gone", false)+", creationTimestamp: \""+now.Add(-5*time.Second).Format(time.RFC3339)+"\"")},
		says: []string{"may be about to delete it"},
	}, {
		name:    "A2 two dependents of an owner that is gone, of which somebody deletes one meanwhile",
		objects: many(2, owned("gone", false)), meanwhile: remove(1),
		want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child-01"},
	}, {
		name: "A2 an absent owner of many", objects: many(40, owned("gone", false)),
		want: []string{"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child-00 × 40"},
	}, {
		name:    "A2 an absent owner of an object that is being deleted",
		objects: []string{configMap("child", owned("owner", false)+", "+deleted(time.Minute, "example.com/hold"))},
		want:    []string{"Info OwnerMissing OwnerAbsent ConfigMap/shop/child"},
	}, {
		name:    "A3 an owner that was created again",
		objects: []string{strings.Replace(owner, "uid: configmap-owner", "uid: another", 1), childOf},
		want:    []string{"Warning OwnerMissing OwnerReplaced ConfigMap/shop/child"},
	}, {
		name: "A4 a wrong kind", objects: []string{owner, child(reference("v1", "Pod", "owner", "configmap-owner"))},
		want: []string{"Error InvalidOwnerReference OwnerMisnamed ConfigMap/shop/child"},
		says: []string{"with the uid of ConfigMap shop/owner"},
	}, {
		name: "A5 another version that is served",
		objects: []string{
			configMap("x", ""),
			object("v1", "ConfigMap", "shop", "child",
				"ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: x, uid: configmap-x}]", ""),
		},
	}, {
		name: "A6 a kind that isn't served", objects: []string{child(ghost)},
		want: []string{"Error UnresolvableOwner OwnerUnserved ConfigMap/shop/child"},
	}, {
		name: "A6 a kind whose group can't be discovered", failed: "gone.example.com/v1", objects: []string{child(ghost)},
	}, {
		name: "A7 an owner in another namespace", objects: []string{elsewhere, childOf},
		want: []string{"Error InvalidOwnerReference OwnerElsewhere ConfigMap/shop/child"},
		says: []string{"it is ConfigMap elsewhere/owner"},
	}, {
		name: "A7 an owner in another namespace, in one namespace", namespace: "shop", objects: []string{elsewhere, childOf},
		want: []string{"Error InvalidOwnerReference OwnerElsewhere ConfigMap/shop/child"},
	}, {
		name: "A8 a cluster-scoped dependent", objects: []string{owner, role, event},
		want: []string{"Error InvalidOwnerReference DependentClusterScoped Node/role"},
		says: []string{"events (OwnerRefInvalidNamespace) don't show all of them"},
	}, {
		name:    "A9 a cluster-scoped owner",
		objects: []string{object("v1", "Node", "", "n1", "", ""), child(reference("v1", "Node", "n1", "node-n1"))},
	}, {
		name: "A9 a cluster-scoped owner, in one namespace", namespace: "shop",
		objects: []string{object("v1", "Node", "", "n1", "", ""), child(reference("v1", "Node", "n1", "node-n1"))},
	}, {
		name: "A15 several owners, one of which can't be resolved", objects: []string{child(toConfigMap("gone"), ghost)},
		want: []string{
			"Error UnresolvableOwner OwnerUnserved ConfigMap/shop/child",
			"Warning OwnerMissing OwnerAbsent ConfigMap/shop/child",
		},
	}, {
		name: "A19 an object that owns itself", objects: []string{configMap("narcissus", owned("narcissus", true))},
		want: []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/narcissus"},
		says: []string{"it waits for itself forever"},
	}, {
		name:    "an object that owns itself, and doesn't block",
		objects: []string{configMap("narcissus", owned("narcissus", false))},
		want:    []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/narcissus"}, notSays: []string{"foreground"},
	}, {
		name: "a cycle", objects: []string{configMap("a", owned("b", true)), configMap("b", owned("a", true))},
		want: []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/a × 2"},
		says: []string{"If you delete all of them at the same time with foreground deletion, they may wait"},
	}, {
		name: "a cycle of which one doesn't block",
		want: []string{"Warning OwnerCycle OwnersCycle ConfigMap/shop/a × 2"}, notSays: []string{"foreground"},
		objects: []string{configMap("a", owned("b", true)), configMap("b", owned("a", false))},
	}, {
		name: "an owner that can't be read", deny: "configmaps",
		objects: []string{owner, object("v1", "Pod", "shop", "child", owned("owner", false), "")},
	}, {
		name: "finalizers with bad names", objects: []string{database("'plain', 'plain', '-not/ok-', 'fine.example.com/x'")},
		want: []string{
			"Error InvalidFinalizer Database/shop/orders", "Warning ControllerMissing Database/shop/orders",
			"Warning ControllerMissing Database/shop/orders", "Warning DuplicateFinalizer Database/shop/orders",
			"Warning UnqualifiedFinalizer Database/shop/orders",
		},
	}, {
		name:    "finalizers that can't go together",
		objects: []string{database("orphan, foregroundDeletion"), managerAlive()},
		want:    []string{"Error InvalidFinalizer Database/shop/orders"},
	}, {
		name:    "live objects while the controller manager is dead",
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection]"), managerDead()},
		want:    []string{"Warning ControlPlaneDown PersistentVolumeClaim/shop/data"},
		says:    []string{"will get stuck when it is deleted"},
	}, {
		name: "a namespace in which nothing has a finalizer, while the controller manager is dead", namespace: "shop",
		objects: []string{configMap("plain", ""), managerDead()},
		want:    []string{"Warning ControlPlaneDown Lease/kube-system/kube-controller-manager"},
		says:    []string{"kube-controller-manager is not running"},
	}, {
		name: "a namespace in which the finalizers show that the controller manager is dead", namespace: "shop",
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection]"), managerDead()},
		want:    []string{"Warning ControlPlaneDown PersistentVolumeClaim/shop/data"},
	}, {
		name:    "live objects while the controller manager lives",
		objects: []string{claim("finalizers: [kubernetes.io/pvc-protection]"), managerAlive()},
	}}
}
