package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// lostRightsCases are about operators that run and to whom RBAC grants nothing that leads to them, or grants it where
// the object isn't.
func lostRightsCases() []whyCase {
	const orders, zone = "databases.shop.example.com/orders", "zones.infra.example.net/home"
	renamed := func(name, text string) string { return strings.ReplaceAll(text, "shop-operator", name) }
	runs := func(name string) []string {
		return []string{
			database(time.Hour, "", ""), renamed(name, operator(1, "")), renamed(name, operatorPod(podIsReady)),
		}
	}
	local := func(name, group, verbs string) string {
		return object("rbac.authorization.k8s.io/v1", "Role", "shop-system", name, "",
			"rules: [{apiGroups: ["+group+"], resources: ['*'], verbs: ["+verbs+"]}]") + "---\n" +
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "shop-system", name, "",
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "+name+"}\n"+
					"subjects: [{kind: ServiceAccount, namespace: shop-system, name: "+name+"}]")
	}
	home := infra("Zone", "", "home", time.Hour, "", "")
	infraRuns := renamed("infra-operator", operator(1, "")+"---\n"+operatorPod(podIsReady))
	forbidden := []string{"ControllerForbidden Database/shop/orders"}
	missing := []string{"ControllerMissing Database/shop/orders"}
	return []whyCase{{
		name: "operator without a role, named after the kind", target: orders, verdict: result.Stuck,
		sure: finding.Likely, objects: runs("database-operator"), causes: forbidden,
		remedy: "create clusterrolebinding database-operator-databases",
	}, {
		name: "operator whose role is gone and still bound", target: orders, verdict: result.Stuck,
		sure: finding.Likely, causes: forbidden, remedy: "create clusterrole database-writer",
		objects: append(runs("database-operator"), object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", "writes",
			"", "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: database-writer}\n"+
				"subjects: [{kind: ServiceAccount, namespace: shop-system, name: database-operator}]")),
	}, {
		name: "operator without a role, named after the project", target: orders, verdict: result.Stuck,
		sure: finding.Likely, objects: runs("shop-operator"), causes: forbidden,
	}, {
		name: "operator with a role for its Lease alone", target: orders, verdict: result.Stuck, sure: finding.Likely,
		objects: append(runs("database-operator"), local("database-operator", "coordination.k8s.io", "'*'")),
		causes:  forbidden,
	}, {
		name: "operator of another project, named after the kind", target: orders, verdict: result.Stuck,
		objects: append(runs("database-operator"), strings.ReplaceAll(
			granted("others", mayWrite, "databases", "shop-system/database-operator"), "shop.example.com", "other.io")),
		causes: missing, sure: finding.Likely,
		says:   []string{"Deployment shop-system/database-operator has a name that fits"},
		remedy: "get customresourcedefinitions",
	}, {
		name: "operator without a role, while a program of another name set the finalizer", target: orders,
		verdict: result.Stuck, sure: finding.Likely, causes: missing,
		objects: append(runs("shop-operator")[1:],
			database(time.Hour, "managedFields: ["+managed("vaulter", 48*time.Hour, setsFinalizer)+"]", "")),
		says: []string{"Deployment shop-system/shop-operator has a name that fits"},
	}, {
		name: "exporter without a role, named after the kind", target: orders, verdict: result.Stuck, causes: missing,
		objects: runs("database-exporter"),
	}, {
		name: "operator without a role, scaled to 0", target: orders, verdict: result.Stuck,
		objects: []string{database(time.Hour, "", ""), renamed("database-operator", operator(0, ""))},
		causes:  []string{"ControllerDown Deployment/shop-system/database-operator"},
		remedy:  "create clusterrolebinding database-operator-databases",
	}, {
		name: "operator with a Role, and the kind has no namespaces", target: zone, verdict: result.Stuck,
		objects: []string{home, infraRuns, local("infra-operator", "infra.example.net", mayWrite)},
		causes:  []string{"ControllerForbidden Zone/home"},
		remedy:  "create clusterrole infra-operator-zones",
	}, {
		name: "operator with a RoleBinding to a ClusterRole, and the kind has no namespaces", target: zone,
		verdict: result.Stuck, causes: []string{"ControllerForbidden Zone/home"},
		objects: []string{
			home, infraRuns,
			object("rbac.authorization.k8s.io/v1", "ClusterRole", "", "infra", "",
				"rules: [{apiGroups: [infra.example.net], resources: ['*'], verbs: ["+mayWrite+"]}]"),
			object("rbac.authorization.k8s.io/v1", "RoleBinding", "shop-system", "infra", "",
				"roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: infra}\n"+
					"subjects: [{kind: ServiceAccount, namespace: shop-system, name: infra-operator}]"),
		},
		remedy: "create clusterrolebinding infra-operator-infra",
	}}
}
