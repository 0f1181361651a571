package removal_test

import (
	"fmt"
	"slices"
	"strings"
)

// lossCase is what is lost when an object goes, as one of its dependents, or below one.
type lossCase struct {
	name    string
	top     string   // KIND/NAME; notes, a ConfigMap, if empty
	meta    string   // more of its metadata
	spec    string   // of the top
	objects []string // below it
	deny    string   // a resource that may not be read
	want    string   // SITUATION NAME of what must be said; nothing is lost without any
	foresee string   // what a preview says in place of that; it asks about an object that was not deleted yet
	spared  string   // a name that no loss may mention
}

// thing is an object with owners, each KIND/NAME, by comma. Its uid is KIND-NAME.
func thing(what, owners, meta, rest string) string {
	kind, name, _ := strings.Cut(what, "/")
	namespace := ", namespace: shop"
	if isClusterScoped(kind) {
		namespace = ""
	}
	var references []string
	for owner := range strings.SplitSeq(owners, ",") {
		if owner != "" {
			kind, name, _ := strings.Cut(owner, "/")
			references = append(references, fmt.Sprintf("{apiVersion: %s, kind: %s, name: %s, uid: %s-%s}", versionOf(kind),
				kind, name, kind, name))
		}
	}
	if meta != "" {
		meta = ", " + meta
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: %s, uid: %s-%s%s, ownerReferences: [%s]%s}\n%s\n",
		versionOf(kind), kind, name, kind, name, namespace, strings.Join(references, ", "), meta, rest)
}

func isClusterScoped(kind string) bool {
	return slices.Contains([]string{"Zone", "Namespace", "PersistentVolume", "CustomResourceDefinition",
		"VolumeSnapshotContent", "ProviderConfig"}, kind)
}

func versionOf(kind string) string {
	for version, kinds := range map[string]string{
		"apps/v1": "Deployment ReplicaSet StatefulSet", "batch/v1": "Job", "shop.example.com/v1": "Database",
		"infra.example.net/v1": "Zone Bucket", "apiextensions.k8s.io/v1": "CustomResourceDefinition",
		"snapshot.storage.k8s.io/v1": "VolumeSnapshot VolumeSnapshotContent",
		"sql.crossplane.example/v1":  "ProviderConfig",
	} {
		if slices.Contains(strings.Fields(kinds), kind) {
			return version
		}
	}
	return "v1"
}

// bound is a claim of some owners, and its volume disk.
func bound(owners, policy string) string { return boundAs("data", owners, policy) }

func boundAs(claim, owners, policy string) string {
	return thing("PersistentVolumeClaim/"+claim, owners, "", "spec: {volumeName: disk}") + "---\n" +
		diskOf(claim, "", policy)
}

func disk(owners, policy string) string { return diskOf("data", owners, policy) }

func diskOf(claim, owners, policy string) string {
	return thing("PersistentVolume/disk", owners, "annotations: {pv.kubernetes.io/provisioned-by: ebs.csi.aws.com}",
		"spec: {csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}, persistentVolumeReclaimPolicy: "+policy+
			", claimRef: {namespace: shop, name: "+claim+", uid: PersistentVolumeClaim-"+claim+"}}")
}

func shot(owners, policy string) string {
	return thing("VolumeSnapshot/nightly", owners, "", "status: {boundVolumeSnapshotContentName: content}") + "---\n" +
		content("", policy)
}

func content(owners, policy string) string {
	return thing("VolumeSnapshotContent/content", owners, "", "spec: {deletionPolicy: "+policy+
		", driver: ebs.csi.aws.com, volumeSnapshotRef: {namespace: shop, name: nightly, uid: VolumeSnapshot-nightly}}\n"+
		"status: {snapshotHandle: snap-1}")
}

func balancer(owners, kind, status string) string {
	return thing("Service/web", owners, "", "spec: {type: "+kind+"}\nstatus: {loadBalancer: {"+status+"}}")
}

// chained are objects, each the owner of the next one, the first of them below notes.
func chained(kinds ...string) (chain []string, last string) {
	last = "ConfigMap/notes"
	for _, kind := range kinds {
		chain, last = append(chain, thing(kind, last, "", "")), kind
	}
	return chain, last
}

// through is a loss below a chain of owners.
func through(name, want string, loss func(owner string) string, kinds ...string) lossCase {
	chain, last := chained(kinds...)
	return lossCase{name: name, objects: append(chain, loss(last)), want: want}
}

// many are ConfigMaps below an owner.
func many(count int, owner string) (all []string) {
	for i := range count {
		all = append(all, thing(fmt.Sprintf("ConfigMap/c%04d", i), owner, "", ""))
	}
	return all
}

// deep is a chain of ConfigMaps.
func deep(length int) (kinds []string) {
	for i := range length {
		kinds = append(kinds, fmt.Sprintf("ConfigMap/d%03d", i))
	}
	return kinds
}

const (
	notes   = "ConfigMap/notes"
	ingress = "ingress: [{ip: 192.0.2.7}]"
	retains = "\nspec: {volumeClaimTemplates: [{metadata: {name: data}}], persistentVolumeClaimRetentionPolicy: " +
		"{whenDeleted: Retain}}"
)

func deletedDisk(owner string) string { return bound(owner, "Delete") }
func secret(owner string) string      { return thing("Secret/key", owner, "", "") }
func nightly(owner string) string     { return shot(owner, "Delete") }
func lb(owner string) string          { return balancer(owner, "LoadBalancer", ingress) }

// lossCases are what is lost, and the same where it isn't.
func lossCases() []lossCase {
	const gone, secrets = "VolumeDeleted disk", "SecretData key"
	handmade := strings.Replace(bound(notes, "Delete"), "pv.kubernetes.io/provisioned-by", "note", 1)
	folder := strings.Replace(handmade, "csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}", "hostPath: {path: /x}", 1)
	ephemeral := boundAs("web-own", "Pod/web", "Delete")
	pod := func(owner string) string {
		return thing("Pod/web", owner, "", "spec: {volumes: [{name: own, ephemeral: {}}]}") + "---\n" + ephemeral
	}
	zone := func(name, want string, objects ...string) lossCase {
		return lossCase{name: name, top: "Zone/north", objects: objects, want: want}
	}
	namespace := func(owner string) string {
		return thing("Namespace/team", owner, "", "spec: {finalizers: [kubernetes]}") + "---\n" +
			strings.ReplaceAll(bound("", "Delete"), "shop", "team")
	}
	definition := func(owner string) string {
		return thing("CustomResourceDefinition/databases.shop.example.com", owner, "", "spec: {group: shop.example.com, "+
			"names: {plural: databases, kind: Database}, scope: Namespaced, versions: [{name: v1, served: true}]}") +
			"---\n" + thing("Database/orders", "", "", "") + "---\n" + bound("Database/orders", "Delete")
	}
	set := func(name, want, policy string, objects ...string) lossCase {
		return lossCase{name: name, top: "StatefulSet/db", spec: strings.Replace(retains, "Retain", policy, 1),
			objects: objects, want: want}
	}
	inside := func(one lossCase) lossCase { // whose content a preview lists, and what goes with that
		one.foresee = gone
		return one
	}
	const database = "Database/orders"
	return slices.Concat([]lossCase{
		through("a claim", gone, deletedDisk),
		{name: "a claim whose driver is unknown", objects: []string{handmade}, want: "VolumeMayBeDeleted disk"},
		{name: "a claim of a folder", objects: []string{folder}, want: "VolumeMayBeDeleted disk"},
		through("a claim to be emptied", "VolumeErased disk", func(owner string) string { return bound(owner, "Recycle") }),
		{name: "a claim whose volume may not be read", objects: []string{bound(notes, "Delete")},
			deny: "persistentvolumes", want: "VolumeUnread disk"},
		through("a claim below a custom resource", gone, deletedDisk, database),
		through("a claim below a set", gone, deletedDisk, "StatefulSet/db"),
		through("a claim below an operator's set", gone, deletedDisk, database, "StatefulSet/db"),
		through("a claim below a Job's pod", gone, deletedDisk, "Job/load", "Pod/load"),
		through("an ephemeral claim", gone, pod, "Deployment/web", "ReplicaSet/web"),
		through("a claim at the end of a chain", gone, deletedDisk, deep(30)...),
		{name: "a claim below one of 200", objects: append(many(200, notes), bound("ConfigMap/c0199", "Delete")), want: gone},
		{name: "a claim below one of 600", objects: append(many(600, notes), bound("ConfigMap/c0599", "Delete")), want: gone},
		{name: "a claim beside 600", objects: append(many(600, notes), bound(notes, "Delete")), want: gone},
		{name: "a claim whose other owner is gone", objects: []string{bound(notes+",ConfigMap/other", "Delete")}, want: gone},
		{name: "a claim whose owners both go", want: gone, objects: []string{bound("Database/a,Database/b", "Delete"),
			thing("Database/a", notes, "", ""), thing("Database/b", notes, "", "")}},
		{name: "a claim whose other owner may not be read", deny: "databases", want: gone,
			objects: []string{bound(notes+",Database/other", "Delete"), thing("Database/other", "", "", "")}},
		through("a snapshot", "SnapshotDeleted nightly", nightly),
		through("a snapshot below a custom resource", "SnapshotDeleted nightly", nightly, database),
		{name: "a snapshot whose content may not be read", objects: []string{nightly(notes)},
			deny: "volumesnapshotcontents", want: "SnapshotUnread nightly"},
		through("a balancer", "LoadBalancerDeleted web", lb),
		through("a balancer below a custom resource", "LoadBalancerDeleted web", lb, database),
		through("a balancer with a name", "LoadBalancerDeleted web", func(owner string) string {
			return balancer(owner, "LoadBalancer", "ingress: [{hostname: lb.example.com}]")
		}, database, "Bucket/b"),
		through("a Secret", secrets, secret),
		through("a Secret below a custom resource", secrets, secret, database),
		through("a Secret below a set", secrets, secret, database, "StatefulSet/db"),
		{name: "a Secret below one of 300", objects: append(many(300, notes), secret("ConfigMap/c0299")), want: secrets},
		set("the claims of a set", gone, "Delete", deletedDisk("StatefulSet/db")),
		set("the Secret of a set", secrets, "Retain", secret("StatefulSet/db")),
		{name: "the claim of a custom resource", top: database, objects: []string{deletedDisk(database)}, want: gone},
		zone("a Secret of a cluster-scoped owner", secrets, secret("Zone/north")),
		zone("a claim of a cluster-scoped owner", gone, deletedDisk("Zone/north")),
		zone("a claim below one in a namespace", gone, thing(database, "Zone/north", "", ""), deletedDisk(database)),
		zone("a volume", "StorageDeleted disk", disk("Zone/north", "Delete")),
		zone("the content of a snapshot", "SnapshotDeleted content", content("Zone/north", "Delete")),
		zone("a volume whose storage is left", "StorageForgotten disk", disk("Zone/north", "Retain")),
		inside(zone("a namespace", "ContentDeleted team", namespace("Zone/north"))),
		inside(zone("a namespace below another owner", "ContentDeleted team",
			thing("ProviderConfig/p", "Zone/north", "", ""), namespace("ProviderConfig/p"))),
		inside(zone("a definition with instances", "InstancesDeleted databases.shop.example.com", definition("Zone/north"))),
	}, unlisted(), twins())
}

// unlisted are cases in which kinds may not be listed whose objects may go, too.
func unlisted() []lossCase {
	const unread = "DependentsUnread notes"
	return []lossCase{
		{name: "claims that may not be listed", objects: []string{deletedDisk(notes)}, deny: "persistentvolumeclaims",
			want: unread},
		{name: "Secrets that may not be listed", objects: []string{secret(notes)}, deny: "secrets", want: unread},
		{name: "snapshots that may not be listed", objects: []string{nightly(notes)}, deny: "volumesnapshots",
			want: unread},
		{name: "balancers that may not be listed", objects: []string{lb(notes)}, deny: "services", want: unread},
		{name: "dependents that stay, and may not be listed", meta: "finalizers: [orphan, example.com/hold]",
			objects: []string{secret(notes)}, deny: "secrets", spared: "key"},
		{name: "volumes that never go, and may not be listed", objects: []string{disk(notes, "Delete")},
			deny: "persistentvolumes", spared: "disk"},
	}
}

// twins are cases in which nothing is lost.
func twins() []lossCase {
	other := thing("ConfigMap/other", "", "", "")
	chain, last := chained("Database/orders")
	going := "deletionTimestamp: 2026-01-02T03:00:00Z, finalizers: [kubernetes.io/pvc-protection]"
	return []lossCase{
		{name: "a claim that keeps its volume", objects: []string{bound(notes, "Retain")}, want: "VolumeKept disk"},
		{name: "a claim below a chain that keeps it", objects: append(chain, bound(last, "Retain")),
			want: "VolumeKept disk"},
		{name: "a claim that another owner keeps", objects: []string{other, bound(notes+",ConfigMap/other", "Delete")},
			spared: "disk"},
		{name: "a claim below one that another owner keeps", spared: "disk",
			objects: []string{other, thing("Database/orders", notes+",ConfigMap/other", "", ""),
				bound("Database/orders", "Delete")}},
		{name: "an orphaned claim", meta: "finalizers: [orphan, example.com/hold]",
			objects: []string{bound(notes, "Delete")}, spared: "disk"},
		{name: "a claim that is going already", spared: "disk", foresee: "VolumeDeleted disk",
			objects: []string{strings.Replace(
				bound(notes, "Delete"), "namespace: shop", "namespace: shop, "+going, 1)}},
		{name: "a claim of somebody else", objects: []string{other, bound("ConfigMap/other", "Delete")}, spared: "disk"},
		{name: "a claim without a volume", spared: "data",
			objects: []string{thing("PersistentVolumeClaim/data", notes, "", "spec: {}")}},
		{name: "a volume of an owner in a namespace", objects: []string{disk(notes, "Delete")}, spared: "disk"},
		{name: "a snapshot that keeps its content", objects: []string{shot(notes, "Retain")}, want: "SnapshotKept nightly"},
		{name: "a snapshot of another content", spared: "snap-1", objects: []string{strings.Replace(
			shot(notes, "Delete"), "uid: VolumeSnapshot-nightly}}", "uid: another}}", 1)}},
		{name: "a Service without a balancer", objects: []string{balancer(notes, "ClusterIP", "")}, spared: "web"},
		{name: "a balancer that was never made", objects: []string{balancer(notes, "LoadBalancer", "")}, spared: "web"},
		{name: "the claim that a set keeps", spared: "disk", top: "StatefulSet/db", spec: retains,
			objects: []string{bound("", "Delete")}},
		{name: "a set that keeps its claims", spared: "disk", objects: []string{
			thing("StatefulSet/db", notes, "", retains), bound("", "Delete")}},
	}
}
