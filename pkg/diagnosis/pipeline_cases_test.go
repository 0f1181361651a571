package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// program is a Deployment, and its pod if it has a state.
func program(namespace, name, account string, replicas int, pod string) string {
	text := object("apps/v1", "Deployment", namespace, name, "", fmt.Sprintf(
		"spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, "+
			"spec: {serviceAccountName: %s}}}",
		replicas, name, name, account))
	if pod != "" {
		text += "---\n" +
			object("v1", "Pod", namespace, name+"-1", "labels: {app: "+name+"}",
				"spec: {nodeName: n1, serviceAccountName: "+account+"}\nstatus: {"+pod+"}")
	}
	return text
}

func held(by, lease string) string {
	return strings.Replace(lease, "holderIdentity: me", "holderIdentity: "+by, 1)
}

// imaged is a program whose first container has an image.
func imaged(program, image string) string {
	return strings.Replace(program, "spec: {serviceAccountName: ",
		"spec: {containers: [{name: main, image: '"+image+"'}], serviceAccountName: ", 1)
}

// servedFrom is a webhook on everything, whose Service in a namespace is gone.
func servedFrom(namespace string) string {
	return strings.Replace(webhook("ValidatingWebhookConfiguration", ""), "namespace: shop,",
		"namespace: "+namespace+",", 1)
}

// pipelineCases are about who the controller is where several could be, and about how it fares where one sign hides
// another.
func pipelineCases() []whyCase {
	const orders, stuck, progressing = "databases.shop.example.com/orders", result.Stuck, result.Progressing
	const podWaits = `phase: Running, conditions: [{type: Ready, status: "False"}], ` +
		`containerStatuses: [{name: main, state: {running: {}}}]`
	const statusOnly = `{"f:status": {"f:phase": {}}}`
	writes := granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper")
	written := func(ago time.Duration, by string) string {
		return database(time.Hour, "managedFields: ["+managed(by, ago, worksOn)+"]", turning(ago+15*time.Second))
	}
	readOnly := granted("reader", mayRead, "databases", "ops/shop-exporter")
	exporter := program("ops", "shop-exporter", "shop-exporter", 1, podIsReady)
	here := object("v1", "Namespace", "", "ops", "", "spec: {finalizers: [kubernetes]}")
	lives := object("v1", "ServiceAccount", "ops", "keeper", "", "")
	return []whyCase{{
		name: "operator that was scaled to nothing twenty seconds after it wrote", target: orders, verdict: stuck,
		objects: []string{written(20*time.Second, "keeper"), writes, program("ops", "keeper", "keeper", 0, "")},
		causes:  []string{"ControllerDown Deployment/ops/keeper"},
	}, {
		name: "operator that was uninstalled twenty seconds after it wrote, its rights too", target: orders,
		verdict: stuck, sure: finding.Likely,
		objects: []string{written(20*time.Second, "keeper")}, causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator whose account was deleted after it wrote, and whose rights are left", target: orders, verdict: stuck,
		objects: []string{written(20*time.Second, "keeper"), writes, here},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator whose Deployment was deleted after it wrote, as events tell", target: orders, verdict: stuck,
		sure: finding.Likely,
		objects: []string{
			written(20*time.Second, "keeper"), writes, here, lives,
			object("v1", "Event", "ops", "keeper.1", "",
				fmt.Sprintf("involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: ops, name: keeper}\n"+
					"type: Normal\nreason: ScalingReplicaSet\nlastTimestamp: %q", at(10*time.Minute))),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "account from outside that wrote minutes ago, with no pod anywhere", target: orders,
		verdict: result.Undetermined,
		objects: []string{written(4*time.Minute, "keeper"), writes, here, lives},
		causes:  []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "account from outside that wrote an hour before the deletion", target: orders, verdict: stuck,
		objects: []string{written(2*time.Hour, "keeper"), writes, here, lives},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "user from outside who wrote minutes ago", target: orders, verdict: result.Undetermined,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("hub-agent", 4*time.Minute, statusOnly)+"]",
				"status: {phase: Deleting}"),
			granted("hub", mayWrite, "databases"),
			strings.Replace(bound("hub", "{kind: User, name: hub}"), "name: hub\n", "name: hub-users\n", 1),
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "operator gone, an exporter of like name may read", target: orders, verdict: stuck, sure: finding.Likely,
		objects: []string{database(time.Hour, "", ""), readOnly, exporter},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator gone, an exporter of like name may read, and the operator's Lease is old", target: orders,
		verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), readOnly, exporter, held("shop-operator-7d9-x_1", lease("ops", "shop-lock", time.Hour)),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator uninstalled seconds ago, which has left its account, its rights and a Lease", target: orders,
		verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), writes, account("shop-operator"),
			held("shop-operator-5d9c7b6f-x2x4z_1", lease("shop-system", "shop-operator", 2*time.Second)),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name:   "two programs of one account and one framework's name, of which the image of the one at 0 tells",
		target: orders, verdict: stuck,
		objects: []string{
			written(20*time.Second, "manager"), writes,
			imaged(program("ops", "alpha", "keeper", 0, ""), "ghcr.io/acme/database-operator:v1"),
			imaged(program("ops", "beta", "keeper", 1, podIsReady), "ghcr.io/acme/gateway@sha256:1"),
		},
		causes: []string{"ControllerDown Deployment/ops/alpha"},
	}, {
		name:   "two programs of one account and one framework's name, of which the image of the one that runs tells",
		target: orders, verdict: progressing,
		objects: []string{
			written(20*time.Second, "manager"), writes,
			imaged(program("ops", "alpha", "keeper", 0, ""), "ghcr.io/acme/shop-exporter:v1"),
			imaged(program("ops", "beta", "keeper", 1, podIsReady), "ghcr.io/acme/gateway@sha256:1"),
		},
	}, {
		name: "two programs of one account and one framework's name, and nothing tells which", target: orders,
		verdict: result.Undetermined,
		objects: []string{
			written(20*time.Second, "manager"), writes, program("ops", "alpha", "keeper", 0, ""),
			program("ops", "beta", "keeper", 1, podIsReady),
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
		says:   []string{"probably Deployment ops/beta, which runs, or Deployment ops/alpha, which is scaled to 0"},
	}, {
		name: "operator whose namespace is gone, and whose webhook is left", target: orders, verdict: stuck,
		objects: []string{database(time.Hour, "", ""), writes, servedFrom("ops")},
		causes:  []string{"ControllerMissing Database/shop/orders"},
		remedy:  "delete validatingwebhookconfigurations.admissionregistration.k8s.io/guard",
	}, {
		name: "operator whose namespace is gone, and another one's webhook that is left", target: orders, verdict: stuck,
		objects: []string{database(time.Hour, "", ""), writes, servedFrom("guards")},
		causes: []string{
			"ControllerMissing Database/shop/orders", "WebhookUnavailable ValidatingWebhookConfiguration/guard",
		},
	}, {
		name: "pod that isn't ready, and validly holds its Lease", target: orders, verdict: progressing,
		objects: []string{
			written(20*time.Second, "keeper"), writes, program("ops", "keeper", "keeper", 1, podWaits),
			held("keeper-1_a", lease("ops", "lock", 5*time.Second)),
		},
	}, {
		name: "operator of which no pod is ready, and whose Lease is old", target: orders, verdict: stuck,
		objects: []string{
			written(20*time.Second, "keeper"), writes, program("ops", "keeper", "keeper", 1, podWaits),
			held("keeper-1_a", lease("ops", "lock", 5*time.Minute)), node("n1", "True", ""),
		},
		causes: []string{"ControllerDown Deployment/ops/keeper"},
	}, {
		name: "operator at nothing that answers for the webhook too", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), strings.ReplaceAll(writes, "ops/", "shop/"), program("shop", "guard", "guard", 0, ""),
			strings.Replace(writes, "namespace: ops, name: keeper", "namespace: shop, name: guard", 1),
			webhook("ValidatingWebhookConfiguration", ""), strings.Split(guardService(), "---")[0],
		},
		causes: []string{"ControllerDown Deployment/shop/guard"},
	}, {
		name: "operator that is gone, and whose webhook is left without a backend", target: orders, verdict: stuck,
		objects: []string{database(time.Hour, "", ""), webhook("ValidatingWebhookConfiguration", "")},
		causes: []string{
			"ControllerMissing Database/shop/orders", "WebhookUnavailable ValidatingWebhookConfiguration/guard",
		},
	}, {
		name: "operator gone, and a user who may do everything", target: orders, verdict: stuck, sure: finding.Likely,
		objects: []string{
			database(time.Hour, "", ""), bound("cluster-admin", "{kind: Group, name: sre}"),
			object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "cluster-admin",
				"labels: {kubernetes.io/bootstrapping: rbac-defaults}",
				"rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]"),
		},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "operator whose role is bound in other namespaces", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), program("ops", "keeper", "keeper", 1, podIsReady),
			strings.Split(granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper"), "---")[0],
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "other", "keeper", "",
				"roleRef: {kind: ClusterRole, name: keeper}\nsubjects: [{kind: ServiceAccount, namespace: ops, name: keeper}]"),
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
		remedy: "-n shop create rolebinding keeper-keeper --clusterrole=keeper --serviceaccount=ops:keeper",
	}, {
		name: "operator with a role of its own in another namespace", target: orders, verdict: stuck,
		objects: []string{
			database(time.Hour, "", ""), program("ops", "keeper", "keeper", 1, podIsReady),
			object("rbac.authorization.k8s.io/v1", "Role", "other", "keeper", "",
				"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, update]}]"),
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "other", "keeper", "",
				"roleRef: {kind: Role, name: keeper}\nsubjects: [{kind: ServiceAccount, namespace: ops, name: keeper}]"),
		},
		causes: []string{"ControllerForbidden Database/shop/orders"},
		remedy: "-n other get role.rbac.authorization.k8s.io/keeper -o yaml",
	}, {
		name: "operator gone that wrote the entry, and another program may write the kind", target: orders,
		verdict: result.Undetermined,
		objects: []string{
			database(5*time.Second, "managedFields: ["+managed("harvestman", 48*time.Hour, setsFinalizer)+"]", ""),
			granted("tagger", mayWrite, "databases", "ops/tagger"), program("ops", "tagger", "tagger", 1, podIsReady),
		},
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "program that wrote the entry is at nothing, and another runs that may write the kind", target: orders,
		verdict: stuck,
		objects: []string{
			database(time.Hour, "managedFields: ["+managed("pilehammer", 48*time.Hour, setsFinalizer)+"]", ""),
			granted("all", mayWrite, "databases", "ops/database-tagger", "ops/hammer"),
			program("ops", "database-tagger", "database-tagger", 1, podIsReady), program("ops", "pilehammer", "hammer", 0, ""),
		},
		causes: []string{"ControllerDown Deployment/ops/pilehammer"},
	}, {
		name:   "known project whose controller is gone, and a sibling with its rights",
		target: "kustomizations.kustomize.toolkit.fluxcd.io/apps", verdict: stuck, sure: finding.Likely,
		objects: []string{
			object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "shop", "apps",
				deleted(5*time.Second, "finalizers.fluxcd.io"), ""),
			strings.ReplaceAll(granted("flux", mayWrite, "'*'", "flux-system/source-controller"), "shop.example.com",
				"kustomize.toolkit.fluxcd.io"),
			program("flux-system", "source-controller", "source-controller", 1, podIsReady),
		},
		causes: []string{"ControllerMissing Kustomization/shop/apps"},
	}}
}
