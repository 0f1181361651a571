package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// bystanderCases are about programs and policies that have a say in an object, and nothing to do with its finalizer,
// and about what comes only after all that is in progress.
func bystanderCases() []whyCase {
	const orders, admin = "databases.shop.example.com/orders", "apiGroups: ['*'], resources: ['*'], verbs: ['*']"
	const annotates = `{"f:metadata": {"f:annotations": {"f:seen": {}}}}`
	const unknown = "ControllerUnknown Database/shop/orders"
	const hook = "WebhookUnavailable ValidatingWebhookConfiguration/guard"
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	runs := []string{writes, operator(1, ""), operatorPod(podIsReady)}
	with := func(objects ...string) []string { return append(append([]string{}, runs...), objects...) }
	deniedTo := func(name string) string {
		return policy("request.userInfo.username != 'system:serviceaccount:" + strings.Replace(name, "/", ":", 1) + "'")
	}
	written := func(by string, ago time.Duration, fields, rest string) string {
		return database(time.Hour, "managedFields: ["+managed("shop-operator", 48*time.Hour, setsFinalizer)+", "+
			managed(by, ago, fields)+"]", rest)
	}
	scrubber := object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "all", "", "rules: [{"+admin+"}]") +
		"---\n" + object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", "all", "",
		"roleRef: {kind: ClusterRole, name: all}\nsubjects: [{kind: ServiceAccount, namespace: pol, name: scrubber}]") +
		"---\n" + program("pol", "scrubber", "scrubber", 1, podIsReady)
	onMaps := strings.Replace(strings.Replace(webhook("ValidatingWebhookConfiguration", ""), `operations: ["*"]`,
		"operations: [UPDATE]", 1), `resources: ["*"]`, "resources: [configmaps]", 1)
	ending := object("v1", "Pod", "shop", "child", fmt.Sprintf("deletionTimestamp: %q, deletionGracePeriodSeconds: 600, ",
		at(10*time.Second-10*time.Minute))+owned("owner", true), "spec: {nodeName: n1}")
	foreground := []string{
		configMap("owner", deleted(10*time.Second, "foregroundDeletion")), ending, node("n1", "True", ""), managerAlive(),
	}
	trouble := `status: {conditions: [{type: Ready, status: "False", reason: %s, lastTransitionTime: %q}]}`
	const reports = `{"f:status": {"f:conditions": {"k:{\"type\":\"Ready\"}": {}}}}`
	return []whyCase{{
		name:   "owner whose last write a dead webhook will refuse, while its dependent is within its grace period",
		target: "configmaps/owner", verdict: result.Stuck, objects: append([]string{onMaps}, foreground...),
		causes: []string{hook},
	}, {
		name: "owner whose dependent is within its grace period", target: "configmaps/owner", verdict: result.Progressing,
		objects: foreground,
	}, {
		name: "operator that is scaled to zero, beside a policy that depends on who asks", target: orders,
		verdict: result.Stuck, objects: []string{database(time.Hour, "", ""), writes, operator(0, ""), deniedTo("a/intern")},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "operator that runs, and whom alone a policy denies its updates", target: orders, verdict: result.Stuck,
		objects: with(database(time.Hour, "", ""), deniedTo(theOperator)),
		causes:  []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name: "operator at work, beside a policy that denies updates to another", target: orders,
		verdict: result.Progressing,
		objects: with(written("shop-operator", 10*time.Second, worksOn, turning(30*time.Second)), deniedTo("a/intern")),
	}, {
		name: "operator that is silent, while a program that may do everything annotates the object", target: orders,
		verdict: result.Undetermined, objects: with(written("scrubber", 10*time.Second, annotates, ""), scrubber),
		causes: []string{unknown},
	}, {
		name: "operator that is gone, while a program that may do everything annotates the object", target: orders,
		verdict: result.Stuck, objects: []string{written("scrubber", 10*time.Second, annotates, ""), scrubber},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator that may update other objects by their names", target: orders, verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), operator(1, ""), operatorPod(podIsReady),
			strings.Replace(writes, "verbs:", "resourceNames: [gold], verbs:", 1),
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
	}, {
		name: "operator that says that a person must approve", target: orders, verdict: result.Stuck,
		objects: with(written("shop-operator", 10*time.Second, reports,
			fmt.Sprintf(trouble, "ApprovalRequired", at(time.Minute)))),
		causes: []string{"DeletionProtected Database/shop/orders"},
	}, {
		name: "operator that runs, and last reported an error long before the deletion", target: orders,
		verdict: result.Undetermined,
		objects: with(written("shop-operator", 9*time.Hour, reports, fmt.Sprintf(trouble, "DialError", at(9*time.Hour)))),
		causes:  []string{unknown},
	}}
}
