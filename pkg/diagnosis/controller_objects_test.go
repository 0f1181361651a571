package diagnosis_test

import (
	"fmt"
	"strings"
	"time"
)

// database is a custom resource that shop-operator should release. rest is its status.
func database(ago time.Duration, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return object("shop.example.com/v1", "Database", "shop", "orders",
		deleted(ago, "shop.example.com/cleanup")+", generation: 2"+meta, rest)
}

// turning is a status with a condition that changed some time ago: its controller is at work.
func turning(ago time.Duration) string {
	return fmt.Sprintf("status: {phase: Deleting, conditions: [{type: Ready, status: \"False\", reason: Draining, "+
		"lastTransitionTime: %q}]}", at(ago))
}

// managed is an entry of managedFields.
func managed(manager string, ago time.Duration, fields string) string {
	return fmt.Sprintf("{manager: %s, operation: Update, time: %q, fieldsType: FieldsV1, fieldsV1: %s}", manager,
		at(ago), fields)
}

const setsFinalizer = `{"f:metadata": {"f:finalizers": {"v:\"shop.example.com/cleanup\"": {}}}}`

// worksOn are fields of who set the finalizer, and writes the status.
const worksOn = `{"f:metadata": {"f:finalizers": {"v:\"shop.example.com/cleanup\"": {}}}, "f:status": {}}`

// granted lets ServiceAccounts, NAMESPACE/NAME each, do something with databases.
func granted(name, verbs, resources string, accounts ...string) string {
	var subjects []string
	for _, account := range accounts {
		namespace, name, _ := strings.Cut(account, "/")
		subjects = append(subjects, fmt.Sprintf("{kind: ServiceAccount, namespace: %s, name: %s}", namespace, name))
	}
	return object("rbac.authorization.k8s.io/v1", "ClusterRole", "", name, "",
		"rules: [{apiGroups: [shop.example.com], resources: ["+resources+"], verbs: ["+verbs+"]}]") + "---\n" +
		bound(name, strings.Join(subjects, ", "))
}

func bound(role, subjects string) string {
	return object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", role, "",
		"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "+role+"}\nsubjects: ["+subjects+"]")
}

func account(name string) string { return object("v1", "ServiceAccount", "shop-system", name, "", "") }

func operator(replicas int, rest string) string {
	return object("apps/v1", "Deployment", "shop-system", "shop-operator", "",
		fmt.Sprintf("spec: {replicas: %d, selector: {matchLabels: {app: shop-operator}}, "+
			"template: {metadata: {labels: {app: shop-operator}}, spec: {serviceAccountName: shop-operator}}}\n%s",
			replicas, rest))
}

func operatorPod(status string) string {
	return object("v1", "Pod", "shop-system", "shop-operator-1",
		"labels: {app: shop-operator}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, "+
			"name: shop-operator-x, uid: rs, controller: true}]",
		"spec: {nodeName: n1, serviceAccountName: shop-operator}\nstatus: {"+status+"}")
}

const (
	podIsReady = `phase: Running, conditions: [{type: Ready, status: "True"}]`
	podCrashes = `phase: Running, conditions: [{type: Ready, status: "False"}], containerStatuses: [{name: main, ` +
		`restartCount: 7, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 2, ` +
		`reason: Error}}}]`
	mayWrite    = "get, list, watch, update, patch"
	mayRead     = "get, list, watch"
	theOperator = "shop-system/shop-operator"
)
