package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func controllerCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	everybody := "{kind: Group, name: 'system:serviceaccounts'}"
	admins := object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "cluster-admin",
		"labels: {kubernetes.io/bootstrapping: rbac-defaults}", "rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]")
	collector := object("rbac.authorization.k8s.io/v1", "ClusterRole", "",
		"system:controller:generic-garbage-collector", "labels: {kubernetes.io/bootstrapping: rbac-defaults}",
		"rules: [{apiGroups: ['*'], resources: ['*'], verbs: [update, patch]}]") +
		"---\n" +
		bound("system:controller:generic-garbage-collector",
			"{kind: ServiceAccount, namespace: kube-system, name: generic-garbage-collector}")
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	reads := granted("shop-operator", mayRead, "databases", theOperator)
	alive := operatorPod(podIsReady)
	failed := `status: {observedGeneration: 2, conditions: [{type: Ready, status: "False", reason: CleanupFailed, ` +
		`message: "bucket is not empty"}]}`
	cases := []whyCase{{
		name: "custom resource that nobody may write", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), collector},
		causes:  []string{"ControllerMissing Database/shop/orders"},
		says:    []string{"that controller is not in this cluster"},
		remedy: "finalizers remove databases.shop.example.com/orders --context test -n shop --finalizer " +
			"shop.example.com/cleanup --force",
	}, {
		name: "custom resource that only those may write who may write everything", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), admins, bound("cluster-admin", "{kind: ServiceAccount, namespace: cd, name: deployer}"),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
		says:   []string{"that controller is not visible in this cluster"},
	}, {
		name: "custom resource that every ServiceAccount may write", target: orders, verdict: result.Undetermined,
		objects: []string{database(time.Hour, "", ""), granted("lax", mayWrite, "databases"), bound("lax", everybody)},
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource that every ServiceAccount of a namespace may write as an administrator", target: orders,
		verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "", ""), admins,
			bound("cluster-admin", "{kind: Group, name: 'system:serviceaccounts:shop-system'}"),
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource with a word for a finalizer", target: orders, verdict: result.Undetermined,
		objects: []string{strings.Replace(database(time.Hour, "", ""), "shop.example.com/cleanup", "plain", 1)},
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource whose operator's account is gone", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("shop-operator", 48*time.Hour, setsFinalizer)+"]", ""), writes,
			configMap("x", ""), lease("shop-system", "shop-lock", 4*time.Hour),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
		says: []string{
			"(the program of ServiceAccount shop-system/shop-operator), which is no longer in this cluster",
		},
	}, {
		name: "custom resource whose operator's account is there, and nothing runs as it", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), writes, account("shop-operator")},
		causes:  []string{"ControllerMissing Database/shop/orders"}, says: []string{"which does not run in this cluster"},
	}, {
		name: "custom resource whose operator runs elsewhere and holds its Lease", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", failed), writes, account("shop-operator"),
			lease("shop-system", "shop-operator", 2*time.Second),
		},
		causes: []string{"ControllerFailing Database/shop/orders"}, says: []string{"bucket is not empty"},
	}, {
		name: "custom resource whose operator lived in the namespace that goes", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), namespace(time.Hour, ""),
			granted("shop-operator", mayWrite, "databases", "shop/shop-operator"),
		},
		causes: []string{"ControllerMissing Database/shop/orders"}, says: []string{"whose namespace shop is being deleted"},
	}, {
		name: "custom resource whose operator is scaled to nothing", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), writes, account("shop-operator"), operator(0, "")},
		causes:  []string{"ControllerDown Deployment/shop-system/shop-operator"}, says: []string{"scaled to 0"},
		remedy: "-n shop-system scale deployments.apps/shop-operator --replicas=1",
	}, {
		name: "custom resource with two finalizers whose operator is scaled to nothing", target: orders,
		verdict: result.Stuck,
		objects: []string{
			object("shop.example.com/v1", "Database", "shop", "orders",
				deleted(time.Hour, "shop.example.com/cleanup", "shop.example.com/backup"), ""),
			writes, account("shop-operator"), operator(0, ""),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
		says:   []string{"the controller of the finalizers shop.example.com/cleanup and shop.example.com/backup"},
		remedy: "--finalizer shop.example.com/cleanup --finalizer shop.example.com/backup --force --override ControllerDown",
	}, {
		name: "custom resource whose operator crashes", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, account("shop-operator"), operator(1, ""), operatorPod(podCrashes),
			lease("shop-system", "shop-lock", time.Hour),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
		says:   []string{"CrashLoopBackOff", "is in CrashLoopBackOff"},
		remedy: "logs pods/shop-operator-1 --all-containers --previous",
	}, {
		name: "custom resource whose operator's pods are refused by a quota", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), writes,
			operator(1,
				`status: {conditions: [{type: ReplicaFailure, status: "True", message: "ResourceQuota `+
					`shop-system/tiny does not allow them"}]}`),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
		says:   []string{"ResourceQuota shop-system/tiny does not allow them"},
	}, {
		name: "custom resource whose operator is ready and has lost its Lease", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, operator(1, ""), alive,
			strings.Replace(lease("shop-system", "lock", time.Hour), "holderIdentity: me",
				"holderIdentity: shop-operator-1_4711", 1),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"}, says: []string{"none of them leads"},
	}, {
		name: "custom resource whose operator may only read the kind", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), reads, operator(1, ""), alive},
		causes:  []string{"ControllerForbidden Database/shop/orders"},
		remedy:  "auth can-i patch databases.shop.example.com --as system:serviceaccount:shop-system:shop-operator",
	}, {
		name: "custom resource whose operator may write the kind elsewhere", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), operator(1, ""), alive,
			object("rbac.authorization.k8s.io/v1", "Role", "other", "operates", "",
				"rules: [{apiGroups: [shop.example.com], resources: ['*'], verbs: ['*']}]"),
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "other", "operates", "",
				"roleRef: {kind: Role, name: operates}\nsubjects: [{kind: User, name: "+
					"'system:serviceaccount:shop-system:shop-operator'}]"),
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
	}, {
		name: "custom resource that a dashboard may read", target: orders, verdict: result.Stuck, sure: finding.Likely,
		objects: []string{
			database(time.Hour, "", ""), granted("grafana", mayRead, "databases", "watch/grafana"),
			object("v1", "Pod", "watch", "grafana-0", "",
				"spec: {nodeName: n1, serviceAccountName: grafana}\nstatus: {"+podIsReady+"}"),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "custom resource whose operator may do everything", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), admins,
			bound("cluster-admin", "{kind: ServiceAccount, namespace: shop-system, name: shop-operator}"), operator(0, ""),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "custom resource whose operator RBAC doesn't know", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), operator(0, "")},
		causes:  []string{"ControllerDown Deployment/shop-system/shop-operator"}, says: []string{"scaled to 0"},
	}, {
		name: "custom resource with an error in its status", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", failed), writes, operator(1, ""), alive},
		causes:  []string{"ControllerFailing Database/shop/orders"}, says: []string{`"CleanupFailed: bucket is not empty"`},
	}, {
		name: "custom resource with an error in its status, and a Lease that tells who lives", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "", failed), lease("shop-system", "shop-operator", 2*time.Second)},
		causes:  []string{"ControllerFailing Database/shop/orders"},
	}, {
		name: "custom resource with an old error in its status, and nobody who may write it", target: orders,
		verdict: result.Stuck,
		objects: []string{database(time.Hour, "",
			strings.Replace(failed, "observedGeneration: 2", "observedGeneration: 1", 1))},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name:    "custom resource with an error from before its deletion, and an operator that has said nothing since",
		target:  orders,
		verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "", strings.Replace(failed, "observedGeneration: 2", "observedGeneration: 1", 1)), writes,
			operator(1, ""), alive,
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name:    "custom resource with a finalizer of another project that a person set, and whose operator is gone",
		target:  orders,
		verdict: result.Undetermined,
		objects: []string{object("shop.example.com/v1", "Database", "shop", "orders",
			deleted(time.Hour, "audit.mycorp.io/keep")+", managedFields: ["+managed("kubectl-patch", 2*time.Hour,
				`{"f:metadata": {"f:finalizers": {"v:\"audit.mycorp.io/keep\"": {}}}}`)+"]", ""), writes},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name:    "custom resource with a finalizer of another project that a program set, and whose operator is gone",
		target:  orders,
		verdict: result.Undetermined,
		objects: []string{
			object("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "audit.mycorp.io/keep"), ""), writes,
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource of which its operator complains in events", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, operator(1, ""), alive,
			object("v1", "Event", "shop", "orders.1", "",
				fmt.Sprintf("involvedObject: {uid: database-orders}\ntype: Warning\nreason: CleanupFailed\n"+
					"message: no route to host\nreportingComponent: shop-operator\nlastTimestamp: %q", at(time.Minute))),
		},
		causes: []string{"ControllerFailing Database/shop/orders"}, says: []string{"no route to host"},
	}, {
		name: "custom resource that its operator has just written to", target: orders, verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("shop-operator", 5*time.Second, setsFinalizer)+"]",
				"status: {phase: Deleting}"),
			writes, operator(1, ""), alive,
		},
		causes: []string{"ControllerUnknown Database/shop/orders"}, says: []string{"That alone is no progress", "--watch"},
	}, {
		name: "custom resource of which a condition has just changed", target: orders, verdict: result.Progressing,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("shop-operator", 5*time.Second, worksOn)+"]",
				turning(20*time.Second)),
			writes, operator(1, ""), alive,
		},
	}, {
		name: "custom resource of which each write stamps a condition anew", target: orders, verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("shop-operator", 5*time.Second, worksOn)+"]",
				strings.Replace(turning(6*time.Second), "reason: Draining", `message: "draining the shards"`,
					1)),
			writes, operator(1, ""), alive,
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
		says:   []string{"draining the shards", "That alone is no progress"},
	}, {
		name:   "custom resource of which a condition has just changed to words that nobody understands",
		target: orders, verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("shop-operator", 5*time.Second, worksOn)+"]",
				strings.Replace(turning(20*time.Second), "reason: Draining", `message: "in attesa di un umano"`, 1)),
			writes, operator(1, ""), alive,
		},
		causes: []string{"ControllerUnknown Database/shop/orders"}, says: []string{"in attesa di un umano"},
	}, {
		name: "custom resource that was just deleted, and waits for a person", target: orders, verdict: result.Stuck,
		objects: []string{
			database(5*time.Second, "", `status: {observedGeneration: 2, message: "waiting for a human to confirm"}`), writes,
			operator(1, ""), alive,
		},
		causes: []string{"DeletionProtected Database/shop/orders"}, says: []string{"waiting for a human to confirm"},
	}, {
		name: "custom resource that was just deleted, and whose operator runs", target: orders, verdict: result.Progressing,
		objects: []string{database(5*time.Second, "", ""), writes, operator(1, ""), alive},
	}, {
		name: "custom resource whose operator runs and says nothing", target: orders, verdict: result.Undetermined,
		objects: []string{database(time.Hour, "", ""), writes, operator(1, ""), alive},
		causes:  []string{"ControllerUnknown Database/shop/orders"},
		says: []string{"shop-system/shop-operator (possibly the controller of the finalizer " +
			"shop.example.com/cleanup), which runs"},
	}, {
		name: "custom resource, and what RBAC allows may not be read", target: orders, verdict: result.Undetermined,
		deny:    "rolebindings",
		objects: []string{database(time.Hour, "", failed), writes, operator(0, "")},
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}}
	return append(cases, knownControllerCases()...)
}
