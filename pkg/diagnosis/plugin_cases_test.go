package diagnosis_test

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"time"
)

const snapshots = "snapshot.storage.k8s.io/v1"

func objectStore(rest string) string {
	return object("ceph.rook.io/v1", "CephObjectStore", "shop", "store",
		deleted(time.Hour, "cephobjectstore.ceph.rook.io"), rest)
}

func storeUser(name, meta, store string) string {
	return object("ceph.rook.io/v1", "CephObjectStoreUser", "shop", name, meta, "spec: {store: "+store+"}")
}

func providerConfig() string {
	return object("sql.crossplane.example/v1", "ProviderConfig", "", "prod", deleted(time.Hour, "in-use.crossplane.io"),
		"")
}

func usage(name, rest string) string {
	return object("sql.crossplane.example/v1", "ProviderConfigUsage", "", name,
		"ownerReferences: [{apiVersion: sql.crossplane.example/v1, kind: Database, name: x, uid: x, controller: true}]", rest)
}

func machineOf(set, name, meta string) string {
	return object("cluster.x-k8s.io/v1beta2", "Machine", "shop", name,
		meta+"ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, "+
			"kind: MachineSet, name: "+set+", uid: machineset-"+set+", controller: true}]", "")
}

// pluginCases are those of finalizers that only the catalogue knows.
func pluginCases() []whyCase {
	const store, prod, snapshot, set = "cephobjectstores.ceph.rook.io/store",
		"providerconfigs.sql.crossplane.example/prod", "volumesnapshots.snapshot.storage.k8s.io/daily",
		"machinesets.cluster.x-k8s.io/workers"
	content := func(meta string) string {
		return object(snapshots, "VolumeSnapshotContent", "", "content", meta,
			"spec: {volumeSnapshotRef: {namespace: shop, name: daily}}")
	}
	snap := func(finalizer string) string {
		return object(snapshots, "VolumeSnapshot", "shop", "daily",
			deleted(time.Hour, "snapshot.storage.kubernetes.io/"+finalizer), "")
	}
	workers := object("cluster.x-k8s.io/v1beta2", "MachineSet", "shop", "workers",
		deleted(time.Hour, "cluster.x-k8s.io/machineset"), "")
	rook := runsFor("rook-ceph", "rook-ceph-operator", "ceph.rook.io", "cephobjectstores")
	provider := runsFor("crossplane-system", "provider-sql", "sql.crossplane.example", "providerconfigs")
	snapshots := runsFor("kube-system", "snapshot-controller", "snapshot.storage.k8s.io", "volumesnapshots")
	return []whyCase{{
		name: "object store with users", target: store, verdict: result.Stuck,
		objects: append(rook, objectStore(""), storeUser("alice", "", "store"), storeUser("bob", "", "store"),
			storeUser("carol", "", "another")),
		causes: []string{"StillInUse CephObjectStoreUser/shop/alice × 2"}, says: []string{"is a user of the object store"},
		remedy: "-n shop delete cephobjectstoreusers.ceph.rook.io/alice",
	}, {
		name: "object store with users, and no operator", target: store, verdict: result.Stuck,
		objects: []string{objectStore(""), storeUser("alice", "", "store")},
		causes:  []string{"ControllerMissing CephObjectStore/shop/store"},
	}, {
		name: "object store with a user that goes", target: store, verdict: result.Stuck,
		objects: []string{objectStore(""), storeUser("alice", deleted(time.Hour, "example.com/mine"), "store")},
		causes:  []string{"ControllerMissing CephObjectStoreUser/shop/alice", "ControllerMissing CephObjectStore/shop/store"},
	}, {
		name: "object store of several sites", target: store, verdict: result.Stuck,
		objects: []string{objectStore("spec: {zone: {name: north}}"), storeUser("alice", "", "store")},
		causes:  []string{"ControllerMissing CephObjectStore/shop/store"},
	}, {
		name: "object store without users", target: store, verdict: result.Stuck,
		objects: []string{objectStore(""), storeUser("carol", "", "another")}, says: []string{"rook-ceph-operator"},
		causes: []string{"ControllerMissing CephObjectStore/shop/store"},
	}, {
		name: "object store of which the users can't be read", target: store, verdict: result.Undetermined,
		deny:    "cephobjectstoreusers",
		objects: append(rook, objectStore(""), storeUser("alice", "", "store")),
		says:    []string{"cephobjectstoreusers.ceph.rook.io in namespace shop"},
	}, {
		name: "provider configuration in use", target: prod, verdict: result.Stuck,
		objects: append(provider, providerConfig(), usage("u1", "providerConfigRef: {name: prod}"),
			usage("u2", "providerConfigRef: {name: test}")),
		causes: []string{"StillInUse ProviderConfigUsage/u1"},
	}, {
		name: "provider configuration and a usage of another form", target: prod, verdict: result.Undetermined,
		objects: append(provider, providerConfig(), usage("u1", "spec: {}")), notes: []string{"doesn't fit that object"},
	}, {
		name: "snapshot from which a claim is being restored", target: snapshot, verdict: result.Stuck,
		objects: append(
			snapshots, snap("volumesnapshot-as-source-protection"),
			object("v1", "PersistentVolumeClaim", "shop", "restored", "",
				"spec: {dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: daily}}\nstatus: "+
					"{phase: Pending}"),
			object("v1", "PersistentVolumeClaim", "shop", "done", "",
				"spec: {dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: daily}}\nstatus: "+
					"{phase: Bound}"),
			object("v1", "PersistentVolumeClaim", "shop", "empty", "", "spec: {}\nstatus: {phase: Pending}"),
		),
		causes: []string{"StillInUse PersistentVolumeClaim/shop/restored"},
	}, {
		name: "snapshot whose content goes", target: snapshot, verdict: result.Stuck,
		objects: append(snapshots, snap("volumesnapshot-bound-protection"),
			content(deleted(time.Hour, "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection"))),
		says:   []string{"csi-snapshotter"},
		causes: []string{"ControllerMissing VolumeSnapshotContent/content"},
	}, {
		name: "snapshot whose content nobody has deleted yet", target: snapshot, verdict: result.Stuck,
		objects: []string{snap("volumesnapshot-bound-protection"), content("")},
		says:    []string{"snapshot-controller, which is not in this cluster, to remove"},
		causes:  []string{"ControllerMissing VolumeSnapshot/shop/daily"},
	}, {
		name: "set of machines of which one goes", target: set, verdict: result.Stuck,
		objects: []string{
			workers, machineOf("workers", "m1", deleted(time.Hour, "example.com/mine")+", "),
			machineOf("workers", "m2", ""), machineOf("others", "m3", deleted(time.Hour, "example.com/mine")+", "),
		},
		causes: []string{"ControllerMissing Machine/shop/m1", "ControllerMissing MachineSet/shop/workers"},
	}, {
		name: "finalizer of which only the name was checked", target: "appprojects.argoproj.io/team", verdict: result.Stuck,
		objects: []string{object("argoproj.io/v1alpha1", "AppProject", "shop", "team",
			deleted(time.Hour, "kopf.zalando.org/KopfFinalizerMarker"), "")},
		says:   []string{"(unverified)"},
		causes: []string{"ControllerMissing AppProject/shop/team"},
	}, {
		name: "live object with finalizers of plugins", target: "pods/web", verdict: result.NotTerminating,
		objects: []string{object("v1", "Pod", "shop", "web",
			"finalizers: [kueue.x-k8s.io/managed, workflows.argoproj.io/status]", "")},
		says: []string{"kueue-controller-manager removes"},
	}}
}
