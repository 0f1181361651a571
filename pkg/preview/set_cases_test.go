package preview_test

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"

// setCases delete a StatefulSet whose claims have no owner, and stay.
func setCases() []previewCase {
	const target = "statefulsets.apps/db"
	set := func(policy string) string {
		return object("apps/v1", "StatefulSet", "db", "", "spec: {selector: {matchLabels: {app: db}}, "+policy+
			"volumeClaimTemplates: [{metadata: {name: data}}], template: {metadata: {labels: {app: db}}}}")
	}
	claim := func(name, meta string) string { return object("v1", "PersistentVolumeClaim", name, meta, "spec: {}") }
	retain := append(running(), set(""), claim("data-db-0", ""), claim("data-db-1", ""), claim("data-dbx-0", ""))
	takes := "persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}, "
	const owned = "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: statefulset-db}]"
	return []previewCase{
		{name: "a set whose claims stay", target: target, outcome: result.WouldGo, goes: target, objects: retain,
			says: []string{"\nWOULD BE LEFT BEHIND\n", "2 PersistentVolumeClaims, with their data (shop/data-db-0, " +
				"shop/data-db-1): claims of StatefulSet shop/db. A StatefulSet of this name uses them again."}},
		{name: "a set that takes its claims", target: target, outcome: result.WouldGo,
			goes:    target + " persistentvolumeclaims/data-db-0",
			objects: append(running(), set(takes), claim("data-db-0", owned)),
			never:   "LEFT BEHIND", says: []string{"ALL CLAIMS"}},
		{name: "a set whose namespace takes its claims", target: "namespaces/shop", outcome: result.WouldGo,
			goes:    "persistentvolumeclaims/data-db-0 " + target + " namespaces/shop",
			objects: append(running(), namespace(), set(""), claim("data-db-0", "")), never: "LEFT BEHIND"},
		{
			name: "an owner whose pod is on a dead node, which it does not wait for",
			objects: []string{manager(), configMap("top", ""), node("Unknown"), object("v1", "Pod", "web", ownedBy(true, below),
				"spec: {nodeName: n1}\nstatus: {phase: Running}")},
			target: "configmaps/top", outcome: result.WouldHang, goes: "configmaps/top pods/web",
			causes: "NodeNotReady Node/n1", says: []string{"ConfigMap shop/top would go, and not all that is deleted with it",
				"Until then, the objects named there would stay Terminating."},
		},
		{name: "a pod of the API server's own", target: "pods/web", outcome: result.WouldGo, goes: "pods/web",
			objects: append(running(), pod("web", "")), never: "static pod"},
		{
			name: "a pod that mirrors a static one", target: "pods/web", outcome: result.WouldGo, goes: "pods/web",
			objects: append(running(), object("v1", "Pod", "web", "annotations: {kubernetes.io/config.mirror: x}",
				"spec: {nodeName: n1}")),
			says: []string{"mirrors a static pod. Deleting it stops nothing: the kubelet of Node n1 creates it again"},
		},
	}
}
