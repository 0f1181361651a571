package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"slices"
	"strings"
	"time"
)

// misleadingCases are situations in which what comes to sight first is not the cause, or not the only one.
func misleadingCases() []whyCase {
	return slices.Concat(faultyPolicyCases(), putBackCases(), templateCases(), secondCauseCases(), refusedDeletionCases())
}

// boundPolicy is a policy on everything and its binding, which does what actions say.
func boundPolicy(spec, binding, actions string) string {
	return object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", "keep", "",
		"spec: {"+spec+`, matchConstraints: {resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], `+
			`resources: ["*", "*/*"]}]}}`) +
		"---\n" + object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", "kept", "",
		"spec: {policyName: keep, validationActions: ["+actions+"]"+binding+"}")
}

// mutation is a MutatingAdmissionPolicy on everything and its binding.
func mutation(spec, binding string) string {
	return object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "", "add", "",
		"spec: {"+spec+`, matchConstraints: {resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], `+
			`resources: ["*", "*/*"]}]}}`) +
		"---\n" + object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", "", "added", "",
		"spec: {policyName: add"+binding+"}")
}

// faultyPolicyCases are policies that refuse because of how they are configured, whatever they say.
func faultyPolicyCases() []whyCase {
	const keep, unknown = "AdmissionDenied ValidatingAdmissionPolicy/keep", "ControllerUnknown ConfigMap/shop/held"
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	const ofMaps, ofNone = `paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression: "true"}]`,
		`paramKind: {apiVersion: gone.example.com/v1, kind: Rule}, validations: [{expression: "true"}]`
	lock := func(action string) string {
		return ", paramRef: {name: lock, namespace: shop, parameterNotFoundAction: " + action + "}"
	}
	return []whyCase{{
		name: "policy that only warns, and whose parameter doesn't exist", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, boundPolicy(ofMaps, lock("Deny"), "Warn, Audit")}, causes: []string{keep},
		says: []string{"ConfigMap shop/lock, which does not exist"},
	}, {
		name: "policy that only warns, and does without its parameter", target: "configmaps/held",
		verdict: result.Undetermined,
		objects: []string{held, boundPolicy(ofMaps, lock("Allow"), "Warn")}, causes: []string{unknown},
	}, {
		name:   "policy that only warns, lets pass what can't be decided, and whose parameter doesn't exist",
		target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, boundPolicy("failurePolicy: Ignore, "+ofMaps, lock("Deny"), "Warn")},
		causes:  []string{unknown},
	}, {
		name: "policy that only warns, and would deny", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, configMap("lock", ""), boundPolicy(strings.Replace(ofMaps, `"true"`, `"false"`, 1),
			lock("Deny"), "Warn")}, causes: []string{unknown},
	}, {
		name: "policy whose namespaced parameter is looked for where there is no namespace", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{
			object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, "example.com/hold"), ""),
			boundPolicy(ofMaps, ", paramRef: {name: lock, parameterNotFoundAction: Allow}", "Deny"),
		},
		causes: []string{keep}, says: []string{"names no namespace for its ConfigMap"},
	}, {
		name: "policy whose audit annotation can't be evaluated", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held,
			boundPolicy(`auditAnnotations: [{key: team, valueExpression: "'by ' + object.metadata.labels['team']"}]`, "",
				"Audit")},
		causes: []string{keep}, says: []string{`its audit annotation "team" can't be evaluated`},
	}, {
		name: "policy whose parameters are of a kind that nobody serves", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, boundPolicy(ofNone, lock("Deny"), "Audit")}, causes: []string{keep},
		says:   []string{"kind Rule in gone.example.com/v1, which is not served"},
		remedy: "delete validatingadmissionpolicies.admissionregistration.k8s.io/keep",
	}, {
		name: "policy that may do without parameters of a kind that nobody serves", target: "configmaps/held",
		verdict: result.Undetermined,
		objects: []string{held, boundPolicy(ofNone, lock("Allow"), "Deny")}, causes: []string{unknown}, remedy: "--probe",
	}, {
		name: "policy that changes objects, and whose parameter doesn't exist", target: "configmaps/held",
		verdict: result.Stuck,
		objects: []string{held, mutation("paramKind: {apiVersion: v1, kind: ConfigMap}", lock("Deny"))},
		causes:  []string{"AdmissionDenied MutatingAdmissionPolicy/add"},
		says:    []string{"ConfigMap shop/lock, which does not exist"},
	}}
}

// putBackCases are removals that pass and change nothing.
func putBackCases() []whyCase {
	const unknown = "ControllerUnknown ConfigMap/shop/held"
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	adds := mutation(`mutations: [{patchType: ApplyConfiguration, applyConfiguration: `+
		`{expression: "Object{metadata: Object.metadata{finalizers: ['example.com/hold']}}"}}]`, "")
	return []whyCase{{
		name: "policy that may put the finalizer back", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, adds}, causes: []string{unknown}, remedy: "--probe",
	}, {
		name: "probe: a policy puts the finalizer back", target: "configmaps/held", verdict: result.Stuck, probe: says(nil),
		leaves: "example.com/hold", sure: "Likely",
		objects: []string{held, adds, strings.ReplaceAll(mutation(`mutations: []`, ""), "add", "other")},
		causes:  []string{"AdmissionDenied MutatingAdmissionPolicy/add"}, says: []string{"puts example.com/hold back"},
	}, {
		name: "probe: one of two webhooks puts the finalizer back", target: "configmaps/held", verdict: result.Stuck,
		probe: says(nil), leaves: "example.com/hold",
		objects: []string{held, guardService(), webhook("MutatingWebhookConfiguration", ""),
			strings.ReplaceAll(webhook("MutatingWebhookConfiguration", ""), "name: guard,", "name: other,")},
		causes: []string{"UpdateInvalid ConfigMap/shop/held"},
		says:   []string{"one of MutatingWebhookConfiguration guard, MutatingWebhookConfiguration other"},
	}, {
		name: "probe: something that the API doesn't show puts the finalizer back", target: "configmaps/held",
		verdict: result.Stuck, probe: says(nil), leaves: "example.com/hold",
		objects: []string{held}, causes: []string{"UpdateInvalid ConfigMap/shop/held"},
		says: []string{"something that the API doesn't show"},
	}}
}

// templateCases are finalizers that come from the template of a workload, which is not who removes them .
func templateCases() []whyCase {
	const fields = `, managedFields: [{manager: kube-controller-manager, operation: Update, apiVersion: v1, time: %q, ` +
		`fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:finalizers": {".": {}, "v:\"drain.example.net/wait\"": {}}}}}]`
	held := func(owner string) string {
		return object("v1", "Pod", "shop", "web-1",
			deleted(time.Hour, "drain.example.net/wait")+", deletionGracePeriodSeconds: 0"+owner+fmt.Sprintf(fields,
				at(2*time.Hour)), "spec: {}")
	}
	const template = `metadata: {labels: {drain.example.net/team: a}, annotations: {drain.example.net/x: b}, ` +
		`finalizers: [drain.example.net/wait]}, ` +
		`spec: {nodeSelector: {drain.example.net/pool: x}, containers: [{name: main, resources: {limits: ` +
		`{drain.example.net/slot: "1"}}}]}`
	return []whyCase{{
		name: "finalizer from the template of a Deployment that is being deleted", target: "deployments.apps/web",
		verdict: result.Undetermined,
		objects: []string{
			object("apps/v1", "Deployment", "shop", "web", deleted(time.Hour, "foregroundDeletion"),
				"spec: {replicas: 1, template: {"+template+"}}"),
			held(", ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: deployment-web, " +
				"controller: true, blockOwnerDeletion: true}]"), managerAlive(),
		},
		causes: []string{"ControllerUnknown Pod/shop/web-1"},
	}, {
		name: "finalizer from the template of a Deployment that is scaled to nothing", target: "pods/web-1",
		verdict: result.Undetermined,
		objects: []string{object("apps/v1", "Deployment", "shop", "web", "", "spec: {replicas: 0, template: {"+template+"}}"),
			held(""), managerAlive()},
		causes: []string{"ControllerUnknown Pod/shop/web-1"},
	}, {
		name: "finalizer from a template, on a pod that kube-controller-manager has just written to", target: "pods/web-1",
		verdict: result.Undetermined,
		objects: []string{strings.Replace(held(""), "managedFields: [",
			fmt.Sprintf(`managedFields: [{manager: kube-controller-manager, operation: Update, subresource: status, `+
				`apiVersion: v1, time: %q, fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:phase": {}}}}, `, at(10*time.Second)),
			1), managerAlive()},
		causes: []string{"ControllerUnknown Pod/shop/web-1"},
	}, {
		name: "operator that is being deleted itself, without pods", target: "deployments.apps/op", verdict: result.Stuck,
		objects: []string{
			object("apps/v1", "Deployment", "shop", "op", deleted(time.Hour, "shop.example.com/self"),
				"spec: {replicas: 1, template: {spec: {serviceAccountName: op, containers: [{name: main, args: "+
					"[--group=shop.example.com]}]}}}"),
			managerAlive(),
		},
		causes: []string{"ControllerDown Deployment/shop/op"}, says: []string{"is also being deleted and has no pods"},
	}, {
		name: "volume of a driver that an application uses, and nobody runs", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{
			volume("phase: Released", "external-provisioner.volume.kubernetes.io/finalizer"),
			object("apps/v1", "Deployment", "shop", "app", "",
				"spec: {replicas: 0, template: {spec: {containers: [{name: main}], volumes: [{name: v, csi: "+
					"{driver: disk.csi.example.com}}]}}}"),
		},
		causes: []string{"ControllerMissing PersistentVolume/disk"},
	}}
}

// secondCauseCases have a cause behind or beside the one that is met first.
func secondCauseCases() []whyCase {
	return []whyCase{{
		name:   "bound volume whose attachment its driver, since uninstalled, has yet to detach",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume("phase: Bound", "kubernetes.io/pv-protection", "external-attacher/disk-csi-example-com"),
			claim(deleted(time.Hour, "example.com/hold")),
			attachment(deleted(time.Hour, "external-attacher/disk-csi-example-com"), "attached: true"),
		},
		causes: []string{"ControllerMissing VolumeAttachment/att", "ControllerUnknown PersistentVolumeClaim/shop/data"},
	}, {
		name: "dependent that is about to be collected, beside one of another kind that is held", target: "configmaps/owner",
		verdict: result.Undetermined,
		objects: []string{
			configMap("owner", deleted(time.Second, "foregroundDeletion")), configMap("child", owned("owner", true)),
			managerAlive(),
			object("v1", "Secret", "shop", "held", deleted(time.Second, "example.com/hold")+", "+owned("owner", true), ""),
		},
		causes: []string{"ControllerUnknown Secret/shop/held"},
	}, {
		name: "bound volume whose attachment nobody has deleted", target: "persistentvolumes/disk",
		verdict: result.Undetermined,
		objects: []string{
			volume("phase: Bound", "kubernetes.io/pv-protection", "external-attacher/disk-csi-example-com"),
			claim(deleted(time.Hour, "example.com/hold")), attachment("", "attached: true"),
		},
		causes: []string{"ControllerUnknown PersistentVolumeClaim/shop/data"},
	}, {
		name: "pod of a job that somebody else runs and that is being deleted", target: "pods/train-0", verdict: result.Stuck,
		objects: []string{jobPod(time.Hour, "0", ofTrain, ""), job(deleted(time.Hour, "foregroundDeletion"),
			"spec: {managedBy: queue.example.com/remote}")},
		causes: []string{"ControllerMissing Pod/shop/train-0"},
		remedy: "-n shop delete jobs.batch/train --cascade=background",
	}}
}

// refusedDeletionCases are objects that were not deleted because nothing could delete them.
func refusedDeletionCases() []whyCase {
	const words = "because of"
	return []whyCase{{
		name: "live object whose deletion a policy refuses", target: "configmaps/held", verdict: result.NotTerminating,
		objects: []string{configMap("held", ""), policy("request.operation != 'DELETE'")},
		says:    []string{"requests to delete the ConfigMap are refused", words, "ValidatingAdmissionPolicy keep"},
	}, {
		name: "live object whose deletion a webhook without a backend has to allow", target: "configmaps/held",
		verdict: result.NotTerminating,
		objects: []string{configMap("held", ""), webhook("ValidatingWebhookConfiguration", "")},
		says:    []string{words, "ValidatingWebhookConfiguration guard"},
	}, {
		name:   "live object with a finalizer, whose deletion and updates one webhook without a backend has to allow",
		target: "configmaps/held", verdict: result.NotTerminating,
		objects: []string{configMap("held", "finalizers: [example.com/hold]"),
			webhook("ValidatingWebhookConfiguration", "")},
		says: []string{words, "ValidatingWebhookConfiguration guard"},
	}, {
		name: "live object of which a policy refuses updates alone", target: "configmaps/held",
		verdict: result.NotTerminating,
		objects: []string{configMap("held", ""), policy("request.operation != 'UPDATE'")},
		says:    []string{"it is removed at once"},
	}}
}
