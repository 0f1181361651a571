package mechanism

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// goingNamespace is namespace shop, which was deleted some time ago, with conditions.
func goingNamespace(before time.Duration, conditions string) string {
	return manifest("v1", "Namespace", "", "shop", "deletionTimestamp: "+ago(before),
		"spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating, conditions: ["+conditions+"]}")
}

// reports is a condition that reports a problem.
func reports(condition, message string) string {
	return fmt.Sprintf(`{type: %s, status: "True", reason: Told, message: %q, lastTransitionTime: %s}`,
		condition, message, ago(time.Minute))
}

// noProblem is a condition that tells that the controller has begun.
const noProblem = `{type: X, status: "False"}`

func TestNamespaceContent(t *testing.T) {
	const remaining = "NamespaceContentRemaining"
	maps := reports(remaining, "Some resources are remaining: configmaps. has 2 resource instances")
	pod := manifest("v1", "Pod", "shop", "web", "deletionTimestamp: "+ago(time.Minute), "spec: {nodeName: n1}")
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	runCases(t, []mechanismCase{
		{
			name: "pods come first", objects: goingNamespace(time.Hour, noProblem) + pod + held + managerRuns(),
			told: []string{"wait Pod shop/web", "later ContentAfterPodsUnseen"},
		},
		{
			name: "what the conditions name", objects: goingNamespace(time.Hour, maps) + held + managerRuns(),
			told: []string{"wait ConfigMap shop/held"},
		},
		{
			name:    "what nobody has deleted",
			objects: goingNamespace(time.Hour, maps) + held + configMap("left", "") + managerDown(),
			told:    append([]string{"wait ConfigMap shop/held", "wait ConfigMap shop/left"}, managerIsDown()...),
		},
		{
			name:    "what nobody has deleted, though somebody should",
			objects: goingNamespace(time.Hour, maps) + configMap("left", "") + managerRuns(),
			told:    []string{"wait ConfigMap shop/left", "open DutyOverdue Namespace shop"},
		},
		{
			name: "a controller that has not begun", objects: goingNamespace(2*time.Second, "") + managerRuns(),
			told: []string{"progress DutyDue"},
		},
		{
			name: "nothing is left", objects: goingNamespace(time.Hour, noProblem) + managerRuns(),
			told: []string{"open DutyOverdue Namespace shop"},
		},
		{
			name:    "kinds that aren't served any more",
			objects: goingNamespace(time.Hour, reports(remaining, "ghosts.gone.example.com has 1 instances")) + managerRuns(),
			told:    []string{"open DutyOverdue Namespace shop"},
		},
		{
			name:    "a deletion in it that fails",
			objects: goingNamespace(time.Hour, reports("NamespaceDeletionContentFailure", "odd")) + managerRuns(),
			told:    []string{"open DeletionInsideFails"},
		},
		{
			name:    "a deletion in it that failed before kube-controller-manager did",
			objects: goingNamespace(time.Hour, reports("NamespaceDeletionContentFailure", "odd")) + managerDown(),
			told:    append(managerIsDown(), "open DeletionInsideFails"),
		},
		{
			name:    "a condition that nobody knows",
			objects: goingNamespace(time.Hour, reports("Odd", "who knows")) + managerRuns(),
			told:    []string{"open NamespaceReports"},
		},
		{name: "pods that may not be read", objects: goingNamespace(time.Hour, maps), deny: "pods"},
		{
			name: "what may not be read of what the conditions name", objects: goingNamespace(time.Hour, maps) + held,
			deny: "configmaps",
		},
	})
}

func TestNamespaceDeep(t *testing.T) {
	pod := manifest("v1", "Pod", "shop", "web", "deletionTimestamp: "+ago(time.Minute), "spec: {nodeName: n1}")
	held, plain := configMap("held", "finalizers: [example.com/hold]"), configMap("plain", "")
	for name, c := range map[string]struct {
		objects string
		told    []string
	}{
		"behind pods": {pod + held + plain, []string{"wait Pod shop/web", "later ContentAfterPods"}},
		"held without pods": {
			configMap("held", deleted(time.Hour, "example.com/hold")), []string{"wait ConfigMap shop/held"},
		},
		"nothing": {"", []string{"open DutyOverdue Namespace shop"}},
	} {
		t.Run(name, func(t *testing.T) {
			objects := goingNamespace(time.Hour, noProblem) + c.objects + managerRuns()
			tools := toolsFor(t, objects)
			tools.Session.Deep = true
			checkTold(t, c.told, askTools(t, tools, objects))
		})
	}
}

func TestNamespaceFailures(t *testing.T) {
	const failure = "NamespaceDeletionContentFailure"
	hook := manifest("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guards", "",
		"webhooks: [{name: guard.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {service: {namespace: ext, name: guard}}, "+
			"rules: [{operations: [DELETE], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]}]")
	const denied = `admission webhook "guard.example.com" denied the request: no`
	const unreached = `failed calling webhook "guard.example.com": failed to call webhook: refused`
	runCases(t, []mechanismCase{
		{
			name: "the namespace controller lacks rights",
			objects: goingNamespace(time.Hour, reports(failure, `configmaps is forbidden: `+
				`User "system:serviceaccount:kube-system:namespace-controller" cannot list resource "configmaps"`)) + managerRuns(),
			told: []string{"cause ControllerForbidden NamespaceControllerForbidden Namespace shop"},
		},
		{
			name: "a webhook denies", objects: goingNamespace(time.Hour, reports(failure, denied)) + hook + managerRuns(),
			told: []string{
				"wait ValidatingWebhookConfiguration guards",
				"  cause AdmissionDenied WebhookDenies ValidatingWebhookConfiguration guards",
			},
		},
		{
			name:    "a webhook can't be reached, and one object is in its way",
			objects: goingNamespace(time.Hour, reports(failure, unreached)) + configMap("left", "") + hook + managerRuns(),
			told: []string{
				"wait ConfigMap shop/left", "  wait ValidatingWebhookConfiguration guards",
				"    cause WebhookUnavailable WebhookBackendBroken ValidatingWebhookConfiguration guards",
			},
		},
		{
			name: "a webhook can't be reached, which no longer matters",
			objects: goingNamespace(time.Hour, reports(failure, unreached)) + configMap("left", "") +
				strings.Replace(hook, "failurePolicy: Fail", "failurePolicy: Ignore", 1) + managerRuns(),
			told: []string{"progress FailureOver Namespace shop key FailureOver,kube-controller-manager," +
				"{WebhookIgnored {ValidatingWebhookConfiguration guards <nil>}}"},
		},
		{
			name: "a webhook can't be reached, which no longer matters, and another kind of webhook may not be read",
			objects: goingNamespace(time.Hour, reports(failure, unreached)) + configMap("left", "") +
				strings.Replace(hook, "failurePolicy: Fail", "failurePolicy: Ignore", 1) + managerRuns(),
			told: []string{"wait ConfigMap shop/left", "open UnreadWebhookNotReached"},
			deny: "mutatingwebhookconfigurations",
		},
		{
			name:    "the webhooks may not be read",
			objects: goingNamespace(time.Hour, reports(failure, denied)) + managerRuns(),
			deny:    "validatingwebhookconfigurations",
		},
	})
}

// TestNamespaceOfOlderServers has namespaces as they are emptied before 1.33, all at once, and on control planes whose
// kube-controller-manager elects no leader.
func TestNamespaceOfOlderServers(t *testing.T) {
	both := reports("NamespaceContentRemaining",
		"Some resources are remaining: configmaps. has 1 resource instances, pods. has 1 resource instances")
	pod := manifest("v1", "Pod", "shop", "web", "deletionTimestamp: "+ago(time.Minute), "spec: {nodeName: n1}")
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	certificates := func(written time.Duration) string {
		return configMap("kube-root-ca.crt", "managedFields: [{manager: kube-controller-manager, operation: Update, "+
			"apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}, time: "+ago(written)+"}]")
	}
	runCases(t, []mechanismCase{
		{
			name: "pods and the rest at once", objects: goingNamespace(time.Hour, both) + pod + held + managerRuns(),
			told: []string{"wait Pod shop/web", "wait ConfigMap shop/held"},
		},
		{
			name: "no Lease, and a write minutes ago", objects: goingNamespace(2*time.Second, "") + certificates(time.Minute),
			told: []string{"progress DutyDue"},
		},
		{
			name: "no Lease, and a write long ago", objects: goingNamespace(2*time.Second, "") + certificates(time.Hour),
			told: []string{"open ControllerManagerHidden"},
		},
		{
			name:    "no Lease, and a write before the deletion",
			objects: goingNamespace(2*time.Minute, "") + certificates(5*time.Minute),
			told:    []string{"open ControllerManagerHidden"},
		},
		{
			name:    "a Lease that is left over, and a newer write",
			objects: goingNamespace(2*time.Second, "") + certificates(time.Minute) + managerDown(),
			told:    []string{"progress DutyDue"},
		},
		{
			name:    "a Lease that ran out after the last write",
			objects: goingNamespace(2*time.Second, "") + certificates(2*time.Hour) + managerDown(),
			told:    managerIsDown(),
		},
	})
}
