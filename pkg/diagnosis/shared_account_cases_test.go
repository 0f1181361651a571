package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// sharedAccountCases are about programs of one account, and about rights of many: which of them is the controller.
func sharedAccountCases() []whyCase {
	const orders, stuck = "databases.shop.example.com/orders", result.Stuck
	writes := granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper")
	group := func(name string) string {
		return granted("keeper", mayWrite, "databases") + "---\n" +
			strings.Replace(bound("keeper", "{kind: Group, name: '"+name+"'}"), "name: keeper", "name: keepers", 1)
	}
	hook := object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "gate", "",
		"webhooks: [{name: gate.example.net, failurePolicy: Ignore, sideEffects: None, "+
			"admissionReviewVersions: [v1], clientConfig: {service: {namespace: ops, name: gate, port: 443}}, "+
			"rules: [{apiGroups: [other.example.net], apiVersions: [v1], operations: [CREATE], resources: ['*']}]}]")
	gate := object("v1", "Service", "ops", "gate", "", "spec: {selector: {app: b}, ports: [{port: 443}]}")
	return []whyCase{{
		name: "account that a controller at nothing shares with a webhook that is up", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, hook, gate, program("ops", "a", "keeper", 0, ""),
			program("ops", "b", "keeper", 1, podIsReady),
		},
		causes: []string{"ControllerDown Deployment/ops/a"},
	}, {
		name: "account that a controller at nothing shares with something named a webhook", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, program("ops", "keeper-webhook", "keeper", 1, podIsReady),
			program("ops", "keeper-main", "keeper", 0, ""),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper-main"},
	}, {
		name: "account that two programs share, one up, and nothing tells which it is", target: orders,
		verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "", ""), writes, program("ops", "a", "keeper", 0, ""),
			program("ops", "b", "keeper", 1, podIsReady),
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "controllers of several kinds with rights on the whole group, the kind's own at nothing", target: orders,
		verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), granted("all", mayWrite, "'*'", "ops/database-controller", "ops/backup-controller"),
			program("ops", "database-controller", "database-controller", 0, ""),
			program("ops", "backup-controller", "backup-controller", 1, podIsReady),
		},
		causes: []string{"ControllerDown Deployment/ops/database-controller"},
	}, {
		name: "rights of all accounts of a namespace, whose operator is at nothing", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), group("system:serviceaccounts:ops"), program("ops", "keeper", "default", 0, ""),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper"},
	}, {
		name: "rights of all accounts, and an operator at nothing that is told of the API group", target: orders,
		verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), group("system:serviceaccounts"),
			strings.Replace(program("ops", "keeper", "keeper", 0, ""), "serviceAccountName: keeper",
				"serviceAccountName: keeper, containers: [{name: main, args: [--group=shop.example.com]}]", 1),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper"},
	}}
}
