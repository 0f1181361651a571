package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// domainCases are finalizers of unknown projects on kinds of Kubernetes' own, which many may write: only the
// finalizer's domain, and who wrote it, lead anywhere.
func domainCases() []whyCase {
	const notes, stock = "configmaps/notes", "shop.example.com/cleanup"
	held := func(finalizer string, ago time.Duration, meta string) string {
		return configMap("notes", strings.TrimSuffix(deleted(ago, finalizer)+", "+meta, ", "))
	}
	writesMaps := func(name, verbs string, accounts ...string) string {
		return strings.ReplaceAll(granted(name, verbs, "configmaps", accounts...), "apiGroups: [shop.example.com]",
			"apiGroups: ['']")
	}
	operates := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	maps, alive := writesMaps("maps", mayWrite, theOperator), operatorPod(podIsReady)
	held1 := held(stock, time.Hour, "")
	setBy := func(manager string) string {
		return "managedFields: [" + managed(manager, 48*time.Hour,
			`{"f:metadata": {"f:finalizers": {"v:\"dns.intra/keep\"": {}}}}`) + "]"
	}
	dns := func(replicas int) string {
		return object("apps/v1", "Deployment", "ops", "name-keeper", "",
			fmt.Sprintf("spec: {replicas: %d, template: {spec: {serviceAccountName: keeper}}}", replicas))
	}
	admins := object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "cluster-admin",
		"labels: {kubernetes.io/bootstrapping: rbac-defaults}", "rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]")
	locks := object("rbac.authorization.k8s.io/v1", "Role", "NS", "leads", "",
		"rules: [{apiGroups: [''], resources: [configmaps], verbs: [update]}]") + "---\n" +
		object("rbac.authorization.k8s.io/v1", "RoleBinding", "NS", "leads", "",
			"roleRef: {kind: Role, name: leads}\nsubjects: [{kind: ServiceAccount, namespace: NS, name: default}]")
	hook := object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "names", "",
		"webhooks: [{name: validate.dns.intra, failurePolicy: Ignore, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {service: {namespace: ops, name: hooks, port: 443}}, rules: [{apiGroups: [''], apiVersions: [v1], "+
			"operations: [CREATE], resources: [services]}]}]")
	behind := object("v1", "Service", "ops", "hooks", "", "spec: {selector: {app: keeper}, ports: [{port: 443}]}")
	unnamed := object("apps/v1", "Deployment", "ops", "keeper", "", "spec: {replicas: 1, "+
		"selector: {matchLabels: {app: keeper}}, template: {metadata: {labels: {app: keeper}}, "+
		"spec: {containers: [{name: main}]}}}") + "---\n" + object("v1", "Pod", "ops", "keeper-1", "labels: {app: keeper}",
		"spec: {nodeName: n1, serviceAccountName: default}\nstatus: {"+podIsReady+"}")
	group := admins + "---\n" + bound("cluster-admin", "{kind: Group, name: 'system:serviceaccounts:ops'}")
	cases := []whyCase{{
		name:   "config map whose finalizer a program has set that names no account, and whose group may do everything",
		target: notes, verdict: result.Progressing, says: []string{"Deployment ops/keeper"},
		objects: []string{held("dns.intra/keep", 10*time.Second, setBy("keeper")), unnamed, group},
	}, {
		name: "config map whose finalizer's API group has an operator that is scaled to nothing", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held1, operates, maps, account("shop-operator"), operator(0, "")},
		causes:  []string{"ControllerDown Deployment/shop-system/shop-operator"}, says: []string{"scaled to 0"},
		remedy: "scale deployments.apps/shop-operator --replicas=1",
	}, {
		name: "config map whose finalizer's API group has an operator that runs and says nothing", target: notes,
		verdict: result.Undetermined,
		objects: []string{held1, operates, maps, operator(1, ""), alive},
		causes:  []string{"ControllerUnknown ConfigMap/shop/notes"},
		says: []string{"shop-system/shop-operator (possibly the controller of the finalizer " +
			"shop.example.com/cleanup), which runs"},
	}, {
		name:   "config map whose finalizer's API group has an operator that may do everything and is scaled to nothing",
		target: notes, verdict: result.Stuck,
		objects: []string{held1, operates, admins,
			bound("cluster-admin", "{kind: ServiceAccount, namespace: shop-system, name: shop-operator}"), operator(0, "")},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "config map that was just deleted, and whose finalizer's API group has an operator that runs", target: notes,
		verdict: result.Progressing,
		objects: []string{held(stock, 5*time.Second, ""), operates, maps, operator(1, ""), alive},
	}, {
		name: "config map that was just deleted, " +
			"where an administrator's program leads by config maps in its own namespace",
		target: notes,
		objects: []string{
			held("dns.intra/keep", 5*time.Second, ""), admins,
			bound("cluster-admin", "{kind: ServiceAccount, namespace: ops-system, name: default}"),
			strings.ReplaceAll(locks, "NS", "ops-system"), program("ops-system", "deployer", "default", 1, podIsReady),
		},
		verdict: result.Undetermined, causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map that was just deleted, where an administrator's program bears the name of its kind", target: notes,
		objects: []string{
			held("dns.intra/keep", 5*time.Second, ""), admins,
			bound("cluster-admin", "{kind: ServiceAccount, namespace: ops, name: configmap-reloader}"),
			program("ops", "configmap-reloader", "configmap-reloader", 1, podIsReady),
		},
		verdict: result.Undetermined, causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer's API group has an operator that may not write config maps", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held1, operates, operator(1, ""), alive},
		causes:  []string{"ControllerForbidden ConfigMap/shop/notes"},
		says:    []string{"which runs but is not allowed to remove the finalizer"},
		remedy:  "auth can-i patch configmaps --as system:serviceaccount:shop-system:shop-operator",
	}, {
		name: "config map whose finalizer's API group has an operator that may only read it by now", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held1, granted("shop-operator", mayRead, "databases", theOperator), operator(1, ""), alive},
		causes:  []string{"ControllerForbidden ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer's API group a dashboard may read, and write config maps", target: notes,
		verdict: result.Stuck,
		objects: []string{
			held1, granted("grafana", mayRead, "databases", "watch/grafana"), writesMaps("boards", mayWrite, "watch/grafana"),
			object("v1", "Pod", "watch", "grafana-0", "",
				"spec: {nodeName: n1, serviceAccountName: grafana}\nstatus: {"+podIsReady+"}"),
		},
		causes: []string{"ControllerMissing ConfigMap/shop/notes"},
	}, {
		name: "config map of which the operator of its finalizer's API group complains in events", target: notes,
		verdict: result.Stuck,
		objects: []string{
			held1, operates, maps, operator(1, ""), alive,
			object("v1", "Event", "shop", "notes.1", "",
				fmt.Sprintf("involvedObject: "+
					"{uid: configmap-notes}\ntype: Warning\nreason: CleanupFailed\nmessage: no route to host\nreportingComponent: "+
					"shop-operator\nlastTimestamp: %q", at(time.Minute))),
		},
		causes: []string{"ControllerFailing ConfigMap/shop/notes"}, says: []string{"no route to host"},
	}, {
		name: "config map of which somebody else complains in events", target: notes, verdict: result.Undetermined,
		objects: []string{
			held1, operates, maps, operator(1, ""), alive,
			object("v1", "Event", "shop", "notes.1", "",
				fmt.Sprintf("involvedObject: "+
					"{uid: configmap-notes}\ntype: Warning\nreason: Odd\nmessage: no route to host\nreportingComponent: "+
					"auditor\nlastTimestamp: %q", at(time.Minute))),
		},
		causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer's API group is served, and nobody operates it", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held1}, causes: []string{"ControllerMissing ConfigMap/shop/notes"},
		says: []string{"that controller is not visible in this cluster"},
	}, {
		name: "config map whose finalizer's API group is served, and whose project's Lease is renewed", target: notes,
		verdict: result.Undetermined,
		objects: []string{held1, lease("ops", "shop-example-com", 2*time.Second)},
		causes:  []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer's API group was operated by an account that is gone", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held1, operates, maps}, causes: []string{"ControllerMissing ConfigMap/shop/notes"},
		says: []string{"(probably the program of ServiceAccount shop-system/shop-operator), whose namespace shop-system " +
			"no longer exists"},
	}, {
		name: "config map whose finalizer's API group two programs operate, one of which makes objects alone", target: notes,
		verdict: result.Stuck,
		objects: []string{
			held1, operates, maps, operator(0, ""), account("shop-operator"), granted("ui", "create, patch", "databases",
				"web/ui"),
			object("v1", "Pod", "web", "ui-1", "", "spec: {nodeName: n1, serviceAccountName: ui}\nstatus: {"+podIsReady+"}"),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "config map whose finalizer's API group two operators run for", target: notes, verdict: result.Undetermined,
		objects: []string{
			held1, operates, maps, operator(1, ""), alive, granted("second", mayWrite, "databases, databases/finalizers",
				"b/second"), writesMaps("second-maps", mayWrite, "b/second"),
			object("v1", "Pod", "b", "second-1", "",
				"spec: {nodeName: n1, serviceAccountName: second}\nstatus: {"+podIsReady+"}"),
		},
		causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map with a finalizer of a domain that nothing goes by", target: notes, verdict: result.Undetermined,
		objects: []string{held("dns.intra/keep", time.Hour, ""), operates, maps, operator(0, "")},
		causes:  []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer was set by a program that a Deployment has the name of", target: notes,
		verdict: result.Stuck, sure: finding.Likely,
		objects: []string{held("dns.intra/keep", time.Hour, setBy("name-keeper")), dns(0)},
		causes:  []string{"ControllerDown Deployment/ops/name-keeper"},
	}, {
		name: "config map whose finalizer was set by a program that runs and may not write it", target: notes,
		verdict: result.Stuck,
		objects: []string{
			held("dns.intra/keep", time.Hour, setBy("name-keeper")), dns(1),
			object("v1", "Pod", "ops", "name-keeper-1",
				"ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: name-keeper-x, uid: rs, controller: true}]",
				"spec: {nodeName: n1, serviceAccountName: keeper}\nstatus: {"+podIsReady+"}"),
		},
		causes: []string{"ControllerForbidden ConfigMap/shop/notes"},
	}, {
		name: "config map whose finalizer's domain a webhook goes by, and a workload stands behind it", target: notes,
		verdict: result.Stuck,
		objects: []string{
			held("dns.intra/keep", time.Hour, ""), hook, behind,
			object("apps/v1", "Deployment", "ops", "gate", "",
				"spec: {replicas: 0, template: {metadata: {labels: {app: keeper}}, spec: {serviceAccountName: gate}}}"),
		},
		causes: []string{"ControllerDown Deployment/ops/gate"},
	}, {
		name: "config map whose finalizer's project an operator has the name of, and no more", target: notes,
		verdict: result.Undetermined,
		objects: []string{held("keeper.acme.io/keep", time.Hour, ""), object("apps/v1", "Deployment", "ops",
			"keeper-operator", "", "spec: {replicas: 0, template: {spec: {serviceAccountName: keeper}}}")},
		causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "pod whose finalizer's API group has an operator, while the kubelet writes its status", target: "pods/web",
		verdict: result.Stuck,
		objects: []string{
			object("v1", "Pod", "shop", "web", deleted(time.Hour, stock)+", deletionGracePeriodSeconds: 0, managedFields: "+
				"[{manager: kubelet, operation: Update, subresource: status, time: \""+at(3*time.Second)+"\", fieldsType: "+
				"FieldsV1, fieldsV1: {\"f:status\": {}}}]",
				`status: {phase: Running, conditions: [{type: Ready, status: "False", reason: ContainersNotReady, `+
					`message: "containers with unready status: failed"}]}`),
			operates, strings.ReplaceAll(maps, "configmaps", "pods"), operator(0, ""), account("shop-operator"),
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "service whose finalizer's API group has an operator that is gone", target: "services/web",
		verdict: result.Stuck,
		objects: []string{object("v1", "Service", "shop", "web", deleted(time.Hour, stock), "spec: {type: ClusterIP}"),
			operates}, causes: []string{"ControllerMissing Service/shop/web"},
	}, {
		name: "secret whose finalizer's API group has an operator that is scaled to nothing", target: "secrets/key",
		verdict: result.Stuck,
		objects: []string{object("v1", "Secret", "shop", "key", deleted(time.Hour, stock), ""), operates,
			strings.ReplaceAll(maps, "configmaps", "secrets"), operator(0, "")},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "claim whose finalizer's API group is served, and nobody operates it", target: "persistentvolumeclaims/data",
		verdict: result.Stuck,
		objects: []string{claim(deleted(time.Hour, stock))},
		causes:  []string{"ControllerMissing PersistentVolumeClaim/shop/data"},
	}}
	for _, what := range []string{"rolebindings", "leases", "deployments"} {
		cases = append(cases, whyCase{
			name: "config map whose finalizer's API group is served, and " + what + " may not be read", target: notes,
			verdict: result.Undetermined, deny: what,
			objects: []string{held1}, causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
		})
	}
	return cases
}
