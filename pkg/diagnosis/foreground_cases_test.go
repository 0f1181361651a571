package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// foregroundCases are about foreground deletion: an owner waits for its dependents.
func foregroundCases() []whyCase {
	contentGone := condition("NamespaceContentRemaining", "False", "All content successfully removed")
	return []whyCase{{
		name: "owner whose dependents were just found", target: "configmaps/owner", verdict: result.Progressing,
		objects: []string{
			configMap("owner", deleted(3*time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerAlive(),
		},
	}, {
		name: "owner whose dependent is not deleted", target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)),
			configMap("free", owned("owner", false)), managerAlive(),
		},
		causes: []string{"DependentNotDeleted ConfigMap/shop/child"},
		remedy: "-n shop delete configmap/owner --cascade=background",
	}, {
		name: "owner whose dependent is not deleted, and the controller manager is dead", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerDead(),
		},
		causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "owner whose only blocking dependent is in another namespace", target: "configmaps/owner",
		verdict: result.Undetermined,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")),
			object("v1", "ConfigMap", "elsewhere", "child",
				deleted(time.Hour, "example.com/hold")+", "+owned("owner", true), ""),
		},
		causes: []string{"ControllerUnknown ConfigMap/elsewhere/child"},
	}, {
		name: "owner whose dependent has an owner in a version that isn't served", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")), managerAlive(),
			configMap("child",
				strings.Replace(owned("owner", true), "]",
					", {apiVersion: shop.example.com/v0, kind: Database, name: db, uid: former}]", 1)),
		},
		causes: []string{"UnresolvableOwner ConfigMap/shop/child"}, says: []string{"Database in shop.example.com/v0"},
		remedy: "-n shop patch configmaps/child",
	}, {
		name: "owner whose dependent has an owner in a group that can't be discovered", target: "configmaps/owner",
		verdict: result.Stuck, failed: "shop.example.com/v0",
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive(),
			configMap("child",
				strings.Replace(owned("owner", true), "]",
					", {apiVersion: shop.example.com/v0, kind: Database, name: db, uid: former}]", 1)),
		},
		causes: []string{"DependentNotDeleted ConfigMap/shop/child"},
	}, {
		name: "namespaced owner of a cluster-scoped dependent", target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")),
			object("v1", "Node", "", "n1", owned("owner", true), ""), managerAlive(),
		},
		causes: []string{"InvalidOwnerReference Node/n1"}, remedy: "patch nodes/n1",
	}, {
		name: "owner without dependents, as far as can be seen", target: "configmaps/owner",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive()},
		says:    []string{"databases.shop.example.com"},
	}, {
		name: "owner without dependents, and the collector has yet to come", target: "configmaps/owner",
		verdict: result.Progressing,
		objects: []string{configMap("owner", deleted(2*time.Second, "foregroundDeletion")), managerAlive()},
	}, {
		name: "owner that waits for a namespace and what is in it", target: "nodes/n1", verdict: result.Undetermined,
		objects: []string{
			object("v1", "Node", "", "n1", deleted(time.Hour, "foregroundDeletion"), ""),
			strings.Replace(namespace(time.Hour, contentGone), "finalizers: []",
				"finalizers: [], ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: node-n1, "+
					"blockOwnerDeletion: true}]", 1),
			object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
		},
		causes: []string{"ControllerUnknown Pod/shop/held"},
	}, {
		name: "three that own each other", target: "configmaps/a", verdict: result.Stuck,
		objects: []string{
			configMap("a", deleted(time.Hour, "foregroundDeletion")+", "+owned("b", true)),
			configMap("b", deleted(time.Hour, "foregroundDeletion")+", "+owned("c", true)),
			configMap("c", deleted(time.Hour, "foregroundDeletion")+", "+owned("a", true)),
		},
		causes: []string{"OwnershipDeadlock ConfigMap/shop/a"}, remedy: "--cascade=background",
	}}
}
