package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

func aliveCases() []whyCase {
	dying := configMap("owner", deleted(time.Hour, "example.com/hold"))
	static := strings.Replace(object("v1", "Pod", "shop", "etcd", "annotations: {kubernetes.io/config.mirror: x}",
		"spec: {nodeName: n1}"), "  ", " ", 1)
	return []whyCase{{
		name: "child of an owner that a finalizer holds", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{dying, child(toConfigMap("owner"))},
		says:    []string{"will be deleted after its owner ConfigMap shop/owner", "example.com/hold"},
		notes:   []string{"why configmaps/owner --context test -n shop", "ControllerUnknown"},
	}, {
		name: "child with a finalizer of an owner on its way out", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{
			configMap("owner", deleted(time.Second)),
			strings.Replace(child(toConfigMap("owner")), "uid:", "finalizers: [example.com/mine], uid:", 1),
		},
		says: []string{
			"will be deleted after its owner", "waits for the API server to remove it",
			"it stays until the finalizer example.com/mine",
		},
	}, {
		name: "child of two owners of which one lives", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{dying, configMap("other", ""), child(toConfigMap("owner"), toConfigMap("other"))},
		says:    []string{"It stays when its owner ConfigMap shop/owner is gone", "ConfigMap shop/other"},
	}, {
		name: "child of an owner that lives", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{configMap("owner", ""), child(toConfigMap("owner"))}, says: []string{"it is removed at once"},
	}, {
		name: "child of an orphaning owner", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{configMap("owner", deleted(time.Hour, "orphan")), child(toConfigMap("owner")), managerDead()},
		says:    []string{"--cascade=orphan", "which is not running"},
	}, {
		name: "child of an owner that is deleted in the foreground", target: "configmaps/child",
		verdict: result.NotTerminating,
		objects: []string{
			configMap("owner", deleted(time.Hour, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerAlive(),
		},
		says: []string{"dependents first", "that the garbage collector has not deleted"},
	}, {
		name: "grandchild of an owner that a finalizer holds", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{dying, configMap("between", owned("owner", true)), child(toConfigMap("between"))},
		says:    []string{"will be deleted after ConfigMap shop/owner, an owner further up", "example.com/hold"},
	}, {
		name: "child of an owner that is gone", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{child(toConfigMap("owner")), managerAlive()},
		says:    []string{"does not exist. There is no ConfigMap of that name in Namespace shop", "within seconds"},
	}, {
		name: "child of an owner that is gone, and the controller manager is dead", target: "configmaps/child",
		verdict: result.NotTerminating,
		objects: []string{child(toConfigMap("owner")), managerDead()},
		says:    []string{"when kube-controller-manager runs again"},
	}, {
		name: "child of an owner that was made anew", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{configMap("owner", ""), child(reference("v1", "ConfigMap", "owner", "former"))},
		says:    []string{"Another object now has that name"},
	}, {
		name: "child of an owner in another namespace", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{
			object("v1", "ConfigMap", "elsewhere", "owner", "", ""), child(toConfigMap("owner")), managerDead(),
			object("v1", "Event", "shop", "child.1", "",
				"reason: OwnerRefInvalidNamespace\nmessage: ownerRef does not exist in namespace\n"+
					"involvedObject: {uid: configmap-child}"),
		},
		says:  []string{"an owner in another namespace does not count"},
		notes: []string{"ownerRef does not exist in namespace"},
	}, {
		name: "child of an owner of a kind that isn't served", target: "configmaps/child", verdict: result.NotTerminating,
		objects: []string{dying, child(toConfigMap("owner"), reference("gone.example.com/v1", "Ghost", "casper", "g"))},
		says:    []string{"does not serve Ghost in gone.example.com/v1", "never deletes ConfigMap shop/child"},
		notes:   []string{"patch configmaps/child --type json"},
	}, {
		name: "child of an owner in a group that can't be discovered", target: "configmaps/child",
		verdict: result.NotTerminating, failed: "gone.example.com/v1",
		objects: []string{child(reference("gone.example.com/v1", "Ghost", "casper", "g"))},
		says:    []string{"can't be discovered at present"},
	}, {
		name: "child of an owner that may not be read", target: "configmaps/child", verdict: result.NotTerminating,
		deny:    "databases",
		objects: []string{child(reference("shop.example.com/v1", "Database", "orders", "o"))}, says: []string{"is not clear"},
	}, {
		name: "cluster-scoped child of an owner with a namespace", target: "nodes/n1", verdict: result.NotTerminating,
		objects: []string{object("v1", "Node", "", "n1", owned("owner", true), "")}, says: []string{"never deletes Node n1"},
	}, {
		name: "something alive in a namespace that is being deleted", target: "configmaps/x", verdict: result.NotTerminating,
		objects: []string{
			namespace(time.Hour, ""), configMap("x", ""),
			object("v1", "Pod", "shop", "held", deleted(time.Hour, "example.com/hold")+", deletionGracePeriodSeconds: 0", ""),
			managerAlive(),
		},
		says: []string{"Its Namespace shop is being deleted", "example.com/hold"},
	}, {
		name: "static pod that nobody has deleted", target: "pods/etcd", verdict: result.NotTerminating,
		objects: []string{static}, says: []string{"mirrors a static pod", "Node n1"},
	}, {
		name: "something left from a namespace that is gone", target: "configmaps/x", verdict: result.Undetermined,
		lost:    "shop",
		objects: []string{configMap("x", deleted(time.Hour, "example.com/hold"))},
		causes:  []string{"ControllerUnknown ConfigMap/shop/x"},
		notes:   []string{"Namespace shop no longer exists", "create namespace shop"},
	}, {
		name: "something alive in a namespace that is gone", target: "configmaps/x", verdict: result.NotTerminating,
		lost:    "shop",
		objects: []string{configMap("x", "")}, notes: []string{"Namespace shop no longer exists"},
	}, {
		name: "something older than its namespace", target: "configmaps/x", verdict: result.Undetermined,
		objects: []string{
			object("v1", "Namespace", "", "shop", fmt.Sprintf("creationTimestamp: %q", at(time.Minute)), ""),
			configMap("x", fmt.Sprintf("creationTimestamp: %q, %s", at(time.Hour), deleted(30*time.Minute, "example.com/hold"))),
		},
		causes: []string{"ControllerUnknown ConfigMap/shop/x"}, notes: []string{"older than its namespace"},
	}}
}
