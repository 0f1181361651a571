package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// reference is an owner reference of a child.
func reference(apiVersion, kind, name, uid string) string {
	return fmt.Sprintf("{apiVersion: %s, kind: %s, name: %s, uid: %s}", apiVersion, kind, name, uid)
}

func child(references ...string) string {
	return configMap("child", "ownerReferences: ["+strings.Join(references, ", ")+"]")
}

func toConfigMap(name string) string { return reference("v1", "ConfigMap", name, "configmap-"+name) }

// many are live ConfigMaps of an owner.
func many(count int, meta string) (objects []string) {
	for i := range count {
		objects = append(objects, configMap(fmt.Sprintf("child-%02d", i), meta))
	}
	return objects
}

// remove takes some of those away.
func remove(count int) func(*clustertest.Memory) {
	return func(memory *clustertest.Memory) {
		for i := range count {
			memory.Remove("ConfigMap", fmt.Sprintf("child-%02d", i))
		}
	}
}

func ownerCases() []whyCase {
	cases := append(orphanCases(), aliveCases()...)
	cases = append(cases, deepCases()...)
	return append(cases, secondLookCases()...)
}

func orphanCases() []whyCase {
	orphaned := configMap("owner", deleted(time.Hour, "orphan"))
	return []whyCase{{
		name: "orphaning owner whose dependents were just found", target: "configmaps/owner", verdict: result.Progressing,
		objects: []string{
			configMap("owner", deleted(time.Second, "orphan")), configMap("child", owned("owner", false)), managerAlive(),
		},
		says:  []string{"remove the owner reference to it from ConfigMap shop/child"},
		notes: []string{"would DELETE them all"},
	}, {
		name: "orphaning owner whose dependents still refer to it", target: "configmaps/owner", verdict: result.Undetermined,
		objects: []string{
			orphaned, configMap("a", owned("owner", false)), configMap("b", owned("owner", true)), managerAlive(),
		},
		notes: []string{
			"-n shop patch configmaps/a --type json", "which is then DELETED", "delete configmaps/owner --cascade=background",
		},
	}, {
		name: "orphaning owner whose dependents are being written to", target: "configmaps/owner",
		verdict:   result.Progressing,
		objects:   append(many(30, owned("owner", false)), orphaned, managerAlive()),
		meanwhile: remove(3), notes: []string{"27 left; two seconds ago there were 30"},
	}, {
		name: "orphaning owner without dependents", target: "configmaps/owner", verdict: result.Undetermined,
		objects: []string{orphaned, managerAlive()}, says: []string{"no dependent refers"},
	}, {
		name: "orphaning owner whose dependents can't all be read", target: "configmaps/owner",
		verdict: result.Undetermined, deny: "databases",
		objects: []string{orphaned, managerAlive()}, says: []string{"databases.shop.example.com"},
	}, {
		name: "orphaning owner, and the controller manager is dead", target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{orphaned, configMap("child", owned("owner", false)), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
		notes:   []string{"would DELETE them all"},
	}, {
		name: "orphaning owner of a dependent in another namespace", target: "configmaps/owner", verdict: result.Undetermined,
		objects: []string{
			orphaned, object("v1", "ConfigMap", "elsewhere", "child", owned("owner", false), ""), managerAlive(),
		},
		says: []string{"ConfigMap elsewhere/child"},
	}, {
		name: "two that own each other, and the controller manager is dead", target: "configmaps/a", verdict: result.Stuck,
		objects: []string{
			configMap("a", deleted(time.Hour, "foregroundDeletion")+", "+owned("b", true)),
			configMap("b", deleted(time.Hour, "foregroundDeletion")+", "+owned("a", true)), managerDead(),
		},
		causes: []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager", "OwnershipDeadlock ConfigMap/shop/a"},
	}, {
		name:   "cluster-scoped owner of a dependent that also has an owner with a namespace",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "foregroundDeletion"), ""), managerAlive(),
			object("v1", "Node", "", "n1",
				"ownerReferences: [{apiVersion: v1, kind: PersistentVolume, name: disk, uid: persistentvolume-disk, "+
					"blockOwnerDeletion: true}, "+toConfigMap("x")+"]", ""),
		},
		causes: []string{"InvalidOwnerReference Node/n1"}, remedy: "patch nodes/n1",
	}, {
		name: "owner whose dependents the server fails to list", target: "configmaps/owner",
		verdict: result.Undetermined, broken: "databases",
		objects: []string{configMap("owner", deleted(time.Hour, "foregroundDeletion")), managerAlive()},
		notes:   []string{"may not see dependents of that kind either"},
	}, {
		name:   "namespaced owner of a cluster-scoped dependent, and the collector has said so",
		target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")),
			object("v1", "Node", "", "n1", owned("owner", true), ""), managerAlive(),
			object("v1", "Event", "default", "n1.1", "",
				"reason: OwnerRefInvalidNamespace\nmessage: ownerRef does not exist\ninvolvedObject: {uid: node-n1}"),
		},
		causes: []string{"InvalidOwnerReference Node/n1"},
	}}
}

func deepCases() []whyCase {
	contentGone := condition("NamespaceContentRemaining", "False", "All content successfully removed")
	held := object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/cleanup"), "")
	podLeft := object("v1", "Pod", "shop", "held",
		deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", "")
	return []whyCase{{
		name: "namespace whose conditions are fossils, without a deep look", target: "namespaces/shop",
		verdict: result.Undetermined,
		objects: []string{namespace(time.Hour, contentGone), managerAlive(), held},
		says:    []string{"--deep looks at everything"},
		notes:   []string{"kubectl finalizers why namespaces/shop --context test --deep"},
	}, {
		name: "namespace whose conditions name pods that have gone since", target: "namespaces/shop",
		verdict: result.Undetermined,
		objects: []string{
			namespace(time.Hour,
				condition("NamespaceContentRemaining", "True", "Some resources are remaining: pods. has 2 resource instances")),
			managerAlive(),
		},
		says: []string{"its last report is out of date"}, notes: []string{"looks again within about a minute"},
	}, {
		name: "namespace with pods and more, looked at deeply", target: "namespaces/shop", verdict: result.Stuck, deep: true,
		objects: []string{
			namespace(time.Hour, contentGone), managerAlive(), held, podLeft,
			configMap("later", "finalizers: [example.com/later]"),
		},
		causes: []string{"ControllerMissing Database/shop/orders", "ControllerUnknown Pod/shop/held"},
		notes:  []string{"example.com/later (1 object)"},
	}, {
		name: "namespace with pods, looked at deeply, and not all can be read", target: "namespaces/shop",
		verdict: result.Undetermined, deep: true, deny: "databases",
		objects: []string{namespace(time.Hour, contentGone), managerAlive(), held, podLeft},
		causes:  []string{"ControllerUnknown Pod/shop/held"}, notes: []string{"databases.shop.example.com in Namespace shop"},
	}, {
		name: "namespace that holds nothing any more, looked at deeply", target: "namespaces/shop",
		verdict: result.Undetermined, deep: true,
		objects: []string{namespace(time.Hour, contentGone), managerAlive()}, says: []string{"it is empty"},
	}}
}

func secondLookCases() []whyCase {
	remaining := condition("NamespaceContentRemaining", "True",
		"Some resources are remaining: configmaps. has 30 resource instances")
	foreground := configMap("owner", deleted(time.Hour, "foregroundDeletion"))
	instances := []string{
		object("shop.example.com/v1", "Database", "shop", "a", "", ""),
		object("shop.example.com/v1", "Database", "shop", "b", "", ""), crd(time.Hour),
	}
	const definition = "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com"
	touched := strings.Replace(claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), "metadata: {",
		fmt.Sprintf("metadata: {resourceVersion: %q, managedFields: [{manager: kube-controller-manager, time: %q}], ",
			"2", at(0)), 1)
	return []whyCase{{
		name: "namespace whose content is deleted one after another", target: "namespaces/shop", verdict: result.Progressing,
		objects: append(many(30, ""), namespace(time.Hour, remaining), managerAlive()), meanwhile: remove(10),
		notes: []string{"20 left; two seconds ago there were 30"},
	}, {
		name: "namespace whose content is not deleted", target: "namespaces/shop", verdict: result.Undetermined,
		objects: append(many(30, ""), namespace(time.Hour, remaining), managerAlive()),
	}, {
		name: "namespace of which the second look is denied", target: "namespaces/shop", verdict: result.Undetermined,
		objects:   append(many(30, ""), namespace(time.Hour, remaining), managerAlive()),
		meanwhile: func(memory *clustertest.Memory) { memory.Deny("configmaps") },
	}, {
		name: "owner with dozens of dependents that are being deleted", target: "configmaps/owner",
		verdict: result.Progressing,
		objects: append(many(30, owned("owner", true)), foreground, managerAlive()), meanwhile: remove(1),
		notes: []string{"29 left; two seconds ago there were 30"},
	}, {
		name: "owner with dozens of dependents that are not deleted", target: "configmaps/owner", verdict: result.Stuck,
		objects: append(many(24, owned("owner", true)), foreground, managerAlive()),
		causes:  []string{"DependentNotDeleted ConfigMap/shop/child-00 × 24"},
	}, {
		name: "definition whose instances are deleted one after another", target: definition, verdict: result.Progressing,
		objects: instances, meanwhile: func(memory *clustertest.Memory) { memory.Remove("Database", "a") },
		notes: []string{"1 left; two seconds ago there were 2"},
	}, {
		name: "claim to which its controller has just written", target: "persistentvolumeclaims/data",
		verdict: result.Progressing,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()},
		meanwhile: func(memory *clustertest.Memory) {
			memory.Remove("PersistentVolumeClaim", "data")
			_ = memory.Add(touched)
		},
		notes: []string{"a new write to PersistentVolumeClaim shop/data"},
	}, {
		name: "claim to which somebody else has just written", target: "persistentvolumeclaims/data",
		verdict: result.Undetermined,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()},
		meanwhile: func(memory *clustertest.Memory) {
			memory.Remove("PersistentVolumeClaim", "data")
			_ = memory.Add(strings.Replace(touched, "kube-controller-manager", "kubectl-edit", 1))
		},
	}}
}
