package diagnosis_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// frozen is a policy that denies what its parameter freezes.
func frozen(kind, reference string) string {
	return boundPolicy(`paramKind: {apiVersion: v1, kind: `+kind+`}, validations: [{expression: `+
		`"params.data.freeze != 'yes'", message: frozen}]`,
		", paramRef: {"+reference+", namespace: shop, parameterNotFoundAction: Deny}", "Deny")
}

// refusedCases are writes that are refused because of who sends them, by what can't be evaluated, or
// because of what exactly they change.
func refusedCases() []whyCase {
	const keep, guard = "AdmissionDenied ValidatingAdmissionPolicy/keep",
		"AdmissionDenied ValidatingWebhookConfiguration/guard"
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	denial := denied(`ValidatingAdmissionPolicy 'keep' with binding 'kept' denied request: it stays`)
	asking := func(account string) string {
		return policy("request.userInfo.username == 'system:serviceaccount:" + account + "' || request.namespace != 'shop'")
	}
	unreachable := says(failedCall())
	failing := func(operation string) string {
		return webhook("ValidatingWebhookConfiguration",
			`, matchConditions: [{name: c, expression: "object.spec.size > 1 && request.operation == '`+operation+`'"}]`)
	}
	needsParameter := object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", "keep", "",
		`spec: {paramKind: {apiVersion: v1, kind: ConfigMap}, matchConstraints: {resourceRules: [{operations: ["*"], `+
			`apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]}, validations: [{expression: "true"}]}`) +
		"---\n" + object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", "kept", "",
		"spec: {policyName: keep, validationActions: [Deny], paramRef: {name: lock, parameterNotFoundAction: Deny}}")
	byURL := object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard", "",
		`webhooks: [{name: guard.example.com, clientConfig: {url: "https://hooks.example.com/guard"}, rules: [{operations: `+
			`[UPDATE], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]}]`)
	changing := func(condition string) string {
		return object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "", "change", "",
			`spec: {matchConstraints: {resourceRules: [{operations: [UPDATE], apiGroups: ["*"], apiVersions: ["*"], `+
				`resources: ["*"]}]}, matchConditions: [{name: c, expression: "`+condition+`"}]}`) +
			"---\n" + object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", "", "changed", "",
			"spec: {policyName: change}")
	}
	return []whyCase{{
		name: "probe: invalid, and a policy that changes something else", stated: true, target: "configmaps/held",
		verdict: result.Stuck, probe: invalid("spec.owner", "Required value"),
		objects: []string{held, changing("object.metadata.name != 'held'")},
		causes:  []string{"UpdateInvalid ConfigMap/shop/held"}, remedy: "edit configmaps/held",
	}, {
		name: "probe: invalid, and a policy that may have changed it", stated: true, target: "configmaps/held",
		verdict: result.Stuck, probe: invalid("spec.owner", "Required value"),
		objects: []string{held, changing("object.metadata.name == 'held'")},
		causes:  []string{"UpdateInvalid ConfigMap/shop/held"}, remedy: "edit mutatingadmissionpolicy",
	}, {
		name: "finalizer behind a webhook that is called by URL", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, byURL}, causes: []string{"ControllerUnknown ConfigMap/shop/held"},
		remedy: "why configmaps/held --context test -n shop --probe",
	}, {
		name: "probe: a webhook that is called by URL is slow", target: "configmaps/held", verdict: result.Stuck,
		probe: says(apierrors.NewInternalError(
			errors.New(`failed calling webhook "guard.example.com": failed to call webhook: Post ` +
				`"https://hooks.example.com/guard?timeout=1s": context deadline exceeded`))),
		objects: []string{held, byURL}, causes: []string{"WebhookUnavailable ValidatingWebhookConfiguration/guard"},
		says: []string{"context deadline exceeded"},
	}, {
		name: "probe: the user may delete the dependent, and a policy denies the collector to", target: "configmaps/owner",
		verdict: result.Stuck, probe: says(nil),
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerAlive(),
			policy("request.operation != 'DELETE' || request.userInfo.username != " +
				"'system:serviceaccount:kube-system:generic-garbage-collector'"),
		},
		causes: []string{keep},
	}, {
		name:   "probe: the user may release the claim, and a webhook without a backend is called for its controller",
		target: "persistentvolumeclaims/data", verdict: result.Stuck, probe: says(nil),
		objects: []string{
			claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive(),
			webhook("ValidatingWebhookConfiguration",
				`, matchConditions: [{name: who, expression: "request.userInfo.username.endsWith('pvc-protection-controller')"}]`),
		},
		causes: []string{"WebhookUnavailable ValidatingWebhookConfiguration/guard"},
	}, {
		name: "probe: a policy lets nobody pass but the controller, which isn't the user", target: "configmaps/held",
		verdict: result.Undetermined, probe: denial,
		objects: []string{held, asking("ops:operator")}, causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: a webhook is called for the user, and perhaps for the controller", target: "configmaps/held",
		verdict: result.Undetermined, probe: unreachable,
		objects: []string{held, webhook("ValidatingWebhookConfiguration",
			`, matchConditions: [{name: who, `+
				`expression: "request.userInfo.username != 'system:serviceaccount:ops:operator'"}]`)},
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: a policy refuses the user and lets the claim's controller pass", target: "persistentvolumeclaims/data",
		verdict: result.Progressing, probe: denial,
		objects: []string{claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive(),
			asking("kube-system:pvc-protection-controller")},
	}, {
		name: "finalizer that a policy keeps whose parameter doesn't exist", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, needsParameter}, causes: []string{keep},
		says: []string{"ConfigMap shop/lock, which does not exist"},
	}, {
		name: "finalizer that a policy keeps as its parameter says", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, frozen("ConfigMap", "name: lock"), configMap("lock", "") + "data: {freeze: 'yes'}\n"},
		causes:  []string{keep}, says: []string{"frozen"}, remedy: "configmap/lock -n shop",
	}, {
		name:   "finalizer that a policy keeps as one of the parameters says that its binding selects",
		target: "configmaps/held", verdict: result.Stuck,
		objects: []string{
			held, frozen("ConfigMap", "selector: {matchLabels: {use: rule}}"), configMap("lock", "labels: {use: rule}") +
				"data: {freeze: 'yes'}\n", configMap("open", "labels: {use: rule}") + "data: {freeze: 'no'}\n",
		},
		causes: []string{keep}, remedy: "configmap/lock -n shop",
	}, {
		name: "finalizer that a policy may keep whose parameter is a Secret", target: "configmaps/held",
		verdict: result.Undetermined, objects: []string{held, frozen("Secret", "name: lock")},
		causes: []string{"ControllerUnknown ConfigMap/shop/held"}, remedy: "--probe",
	}, {
		name: "finalizer that a policy may keep whose parameters may not be read", target: "configmaps/held",
		verdict: result.Undetermined, deny: "services",
		objects: []string{held, frozen("Service", "selector: {matchLabels: {use: rule}}")},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"}, remedy: "--probe",
	}, {
		name: "probe: a policy denies as its parameter says", target: "configmaps/held", verdict: result.Stuck,
		probe:   denied(`ValidatingAdmissionPolicy 'keep' with binding 'kept' denied request: frozen`),
		objects: []string{held, frozen("ConfigMap", "name: lock"), configMap("lock", "") + "data: {freeze: 'yes'}\n"},
		causes:  []string{keep}, remedy: "configmap/lock -n shop",
	}, {
		name: "finalizer behind a policy that has its parameter", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, configMap("lock", ""), needsParameter},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "orphan whose owner a policy forbids to forget", target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Second, "orphan")), configMap("child", owned("owner", false)), managerAlive(),
			policy("object.metadata.name != 'child' || has(object.metadata.ownerReferences)"),
		},
		causes: []string{keep},
	}, {
		name: "namespace in which a webhook's condition fails on every DELETE", stated: true, target: "namespaces/shop",
		verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour, condition("NamespaceDeletionContentFailure", "True",
				"Failed to delete all resource types, "+
					"1 remaining: configmaps is forbidden: expression 'object.spec.size > 1 && request.operation == 'DELETE'' "+
					"resulted in error: no such key: spec")),
			configMap("a", ""), managerAlive(), failing("DELETE"),
		},
		causes: []string{guard},
	}, {
		name: "probe: a webhook's condition fails", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, failing("UPDATE")}, causes: []string{guard},
		probe: denied("expression 'object.spec.size > 1 && request.operation == 'UPDATE'' resulted in error: no " +
			"such key: spec"),
	}, {
		name:   "webhook configuration that a policy keeps",
		target: "validatingwebhookconfigurations.admissionregistration.k8s.io/guard", verdict: result.Stuck,
		objects: []string{
			object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard",
				deleted(time.Hour, "example.com/hold"), "webhooks: []"),
			policy("request.kind.kind != 'ValidatingWebhookConfiguration'"),
		},
		causes: []string{keep},
	}}
}

// TestSilentWebhookURL holds the details of a webhook that doesn't answer against its URL.
func TestSilentWebhookURL(t *testing.T) {
	cases := refusedCases()
	called := func(c whyCase) bool { return c.name == "probe: a webhook that is called by URL is slow" }
	one := cases[slices.IndexFunc(cases, called)]
	result, err := one.why(t.Context(), t, one.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	details, _ := result.RootCauses[0].Details.(finding.WebhookUnavailableDetails)
	if details.URL != "https://hooks.example.com/guard" || !details.Slow {
		t.Errorf("the details don't tell that what is called by URL is slow: %+v", details)
	}
}
