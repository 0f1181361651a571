package diagnosis_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// webhook is a configuration with one webhook, whose Service is shop/guard.
func webhook(kind, rest string) string {
	return object("admissionregistration.k8s.io/v1", kind, "", "guard", "",
		`webhooks: [{name: guard.example.com, clientConfig: {service: {namespace: shop, name: guard}}, `+
			`rules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]`+rest+"}]")
}

// policy is a policy on everything, and its binding.
func policy(expression string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", "keep", "",
		`spec: {matchConstraints: {resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], `+
			`resources: ["*", "*/*"]}]}, validations: [{expression: "`+expression+`", message: it stays}]}`) +
		"---\n" +
		object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", "kept", "",
			"spec: {policyName: keep, validationActions: [Deny]}")
}

func guardService() string {
	return object("v1", "Service", "shop", "guard", "",
		"spec: {type: ClusterIP, selector: {app: guard}, ports: [{name: https, port: 443}]}") +
		"---\n" +
		object("discovery.k8s.io/v1", "EndpointSlice", "shop", "guard-1", "labels: {kubernetes.io/service-name: guard}",
			"ports: [{name: https, port: 8443}]\nendpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]")
}

func says(err error) func() error { return func() error { return err } }

// failedCall is the answer to a request whose webhook has no backend.
func failedCall() error {
	return apierrors.NewInternalError(errors.New(`failed calling webhook "guard.example.com": failed to call ` +
		`webhook: Post "https://guard.shop.svc:443/": service "guard" not found`))
}

func denied(text string) func() error {
	return says(apierrors.NewForbidden(schema.GroupResource{Resource: "configmaps"}, "held", errors.New(text)))
}

func invalid(field, text string) func() error {
	return says(&apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: `ConfigMap "held" is invalid: ` + field + ": " + text,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{
			Type: metav1.CauseTypeFieldValueRequired, Field: field, Message: text,
		}}},
	}})
}

func admissionCases() []whyCase {
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	const unavailable = "WebhookUnavailable ValidatingWebhookConfiguration/guard"
	return append([]whyCase{{
		name: "finalizer behind a webhook without a backend", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, webhook("ValidatingWebhookConfiguration", "")},
		causes:  []string{unavailable}, says: []string{"Service shop/guard does not exist"},
		remedy: `"add","path":"/webhooks/0/failurePolicy","value":"Ignore"`,
	}, {
		name: "finalizer behind a mutating webhook without a backend", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, webhook("MutatingWebhookConfiguration", "")},
		causes:  []string{"WebhookUnavailable MutatingWebhookConfiguration/guard"},
	}, {
		name: "finalizer behind a webhook that answers", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, webhook("ValidatingWebhookConfiguration", ""), guardService()},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
		remedy:  "why configmaps/held --context test -n shop --probe",
	}, {
		name: "claim that nobody uses, behind a webhook that answers", target: "persistentvolumeclaims/data",
		verdict: result.Undetermined,
		objects: []string{
			claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive(),
			webhook("ValidatingWebhookConfiguration", ""), guardService(),
		},
		notes: []string{"its backend is up", "why persistentvolumeclaims/data --context test -n shop --probe"},
	}, {
		name: "finalizer behind a webhook whose Service may not be read", target: "configmaps/held",
		verdict: result.Undetermined, deny: "services",
		objects: []string{held, webhook("ValidatingWebhookConfiguration", "")},
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "finalizer behind a webhook that asks who it is", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{
			held,
			webhook("ValidatingWebhookConfiguration",
				`, matchConditions: [{name: who, expression: "request.userInfo.username == 'x'"}]`),
		},
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name:   "controller at nothing, of whose requests alone a webhook without a backend is asked",
		target: "databases.shop.example.com/orders", verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), granted("keeper", mayWrite, "databases", "ops/keeper"),
			program("ops", "keeper", "keeper", 0, ""), webhook("ValidatingWebhookConfiguration",
				`, matchConditions: [{name: who, expression: "request.userInfo.username.endsWith(':ops:keeper')"}]`),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper", unavailable},
	}, {
		name:   "controller at nothing, of whose requests a webhook without a backend is not asked",
		target: "databases.shop.example.com/orders", verdict: result.Stuck,
		objects: []string{
			database(time.Hour, "", ""), granted("keeper", mayWrite, "databases", "ops/keeper"),
			program("ops", "keeper", "keeper", 0, ""), webhook("ValidatingWebhookConfiguration",
				`, matchConditions: [{name: who, expression: "!request.userInfo.username.endsWith(':ops:keeper')"}]`),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper"},
	}, {
		name: "finalizer that a policy keeps", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{
			held, policy("'example.com/hold' in object.metadata.?finalizers.orValue([]) || object.metadata.name != 'held'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, says: []string{"it stays"},
		remedy: "delete validatingadmissionpolicybinding.admissionregistration.k8s.io/kept",
	}, {
		name: "object left behind in a namespace that is gone, and a webhook selects namespaces", lost: "shop",
		target: "configmaps/held", verdict: result.Stuck,
		objects: []string{
			held,
			webhook("ValidatingWebhookConfiguration", ", failurePolicy: Ignore, namespaceSelector: {matchLabels: {env: prod}}"),
		},
		causes: []string{"AdmissionDenied ValidatingWebhookConfiguration/guard"},
		says:   []string{"amespace shop, which no longer exists"},
	}, {
		name: "object left behind in a namespace that is gone, and a policy that only warns selects namespaces",
		lost: "shop", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{
			held,
			strings.Replace(policy("true"), "validationActions: [Deny]",
				"validationActions: [Warn], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}", 1),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
		says:   []string{"amespace shop, which no longer exists"},
	}, {
		name: "dependent whose deletion a policy for the collector denies", target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerAlive(),
			policy("request.operation != 'DELETE' || request.userInfo.username != " +
				"'system:serviceaccount:kube-system:generic-garbage-collector'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name: "claim that nobody uses, and a policy keeps its finalizer", target: "persistentvolumeclaims/data",
		verdict: result.Stuck,
		objects: []string{
			claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerAlive(),
			policy("request.resource.resource != 'persistentvolumeclaims'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name:   "claim that nobody uses, a policy keeps its finalizer, and the controller manager is dead",
		target: "persistentvolumeclaims/data", verdict: result.Stuck,
		objects: []string{claim(deleted(time.Second, "kubernetes.io/pvc-protection")), managerDead(), policy("false")},
		causes: []string{
			"AdmissionDenied ValidatingAdmissionPolicy/keep", "ControlPlaneDown Lease/kube-system/kube-controller-manager",
		},
	}, {
		name: "pod whose last status its kubelet can't write", target: "pods/web", verdict: result.Stuck,
		objects: []string{
			pod("web", 5*time.Minute, "n1", "") +
				"status: {phase: Running, containerStatuses: [{name: main, state: {terminated: {}}}]}\n",
			node("n1", "True", ""), lease("kube-node-lease", "n1", time.Second), policy("request.subResource != 'status'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name:   "definition without instances that a policy keeps",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.Stuck,
		objects: []string{crd(time.Second), policy("request.kind.kind != 'CustomResourceDefinition'")},
		causes:  []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}}, append(probeCases(held), refusedContentCases()...)...)
}

func refusedContentCases() []whyCase {
	failure := func(text string) string {
		return condition("NamespaceDeletionContentFailure", "True", "Failed to delete all resource types, 1 remaining: "+text)
	}
	denial := `configmaps "Unknown" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'kept' denied ` +
		`request: it stays`
	unreachable := `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: ` +
		`Post "https://guard.shop.svc:443/": service "guard" not found`
	return []whyCase{{
		name: "namespace in which a policy keeps one of three", stated: true, target: "namespaces/shop",
		verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour, failure(denial)), configMap("a", ""), configMap("kept", ""), configMap("z", ""), managerAlive(),
			policy("request.operation != 'DELETE' || oldObject.metadata.name != 'kept'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, says: []string{"ConfigMap shop/kept"},
	}, {
		name: "namespace in which a deletion is refused, and whose content has a finalizer", stated: true,
		target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour, failure(denial)), configMap("a", ""), configMap("z", ""), managerAlive(),
			configMap("kept", "finalizers: [example.com/archive]"),
			policy("request.operation != 'DELETE' || oldObject.metadata.name != 'kept'"),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"}, says: []string{"ConfigMap shop/kept"},
		notes: []string{"example.com/archive"},
	}, {
		name: "namespace in which a policy keeps something that may not be listed", stated: true,
		target: "namespaces/shop", verdict: result.Stuck, deny: "configmaps",
		objects: []string{namespace(time.Hour, failure(denial)), configMap("kept", ""), managerAlive(), policy("false")},
		causes:  []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name:   "namespace in which a webhook can't be reached, and its rules are about everything",
		target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour, failure(unreachable)), managerAlive(), webhook("ValidatingWebhookConfiguration", ""),
		},
		causes: []string{"WebhookUnavailable ValidatingWebhookConfiguration/guard"},
	}, {
		name: "namespace in which a webhook denies a deletion, and doesn't say of what", stated: true,
		target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour, failure(`admission webhook "guard.example.com" denied the request without explanation`)),
			managerAlive(), webhook("ValidatingWebhookConfiguration", ""), guardService(),
		},
		causes: []string{"AdmissionDenied ValidatingWebhookConfiguration/guard"},
		remedy: "why namespaces/shop --context test --probe",
	}, {
		name: "namespace in which a webhook couldn't be reached that nobody has any more", target: "namespaces/shop",
		verdict: result.Progressing,
		objects: []string{namespace(time.Hour, failure(unreachable)), managerAlive()},
		says:    []string{"is no longer in any webhook configuration"},
	}, {
		name: "namespace whose controller lost its rights", stated: true, target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(time.Hour,
				failure(`pods is forbidden: User "system:serviceaccount:kube-system:namespace-controller" cannot `+
					`deletecollection resource "pods" in API group "" in the namespace "shop"`)),
			managerAlive(),
		},
		causes: []string{"ControllerForbidden Namespace/shop"},
		remedy: "get clusterrole/system:controller:namespace-controller",
	}, {
		name: "namespace of which a policy refuses the last update", target: "namespaces/shop", verdict: result.Stuck,
		objects: []string{
			namespace(30*time.Second, condition("NamespaceContentRemaining", "False", "All content successfully removed")),
			managerAlive(),
			policy(fmt.Sprintf("request.subResource != '%s'", "finalize")),
		},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}}
}
