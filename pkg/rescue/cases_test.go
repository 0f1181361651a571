package rescue_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

func object(apiVersion, kind, name, meta, rest string) string {
	return clustertest.Object(apiVersion, kind, name, meta, rest)
}

func going(finalizers string) string {
	return fmt.Sprintf("finalizers: [%s], deletionTimestamp: %q", finalizers, now.Add(-time.Minute).Format(time.RFC3339))
}

func claimGoing(name string) string {
	return object("v1", "PersistentVolumeClaim", name, going("kubernetes.io/pvc-protection"),
		"spec: {volumeName: disk-"+name+"}\nstatus: {phase: Bound}")
}

func claimOwned(name, owner string) string {
	return object("v1", "PersistentVolumeClaim", name, "finalizers: [kubernetes.io/pvc-protection], "+ownedBy(owner),
		"spec: {volumeName: disk-"+name+"}\nstatus: {phase: Bound}")
}

func ownedBy(owner string) string {
	kind, name, _ := strings.Cut(owner, "/")
	return fmt.Sprintf("ownerReferences: [{apiVersion: v1, kind: %s, name: %s, uid: %s-%s}]", kind, name,
		strings.ToLower(kind), name)
}

func volume(claim, policy, phase string) string { return volumeWith(claim, policy, phase, "") }

func volumeWith(claim, policy, phase, meta string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return object("v1", "PersistentVolume", "/disk-"+claim,
		"annotations: {pv.kubernetes.io/provisioned-by: csi.example.com}"+meta,
		"spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: "+policy+
			", claimRef: {namespace: shop, name: "+claim+", uid: persistentvolumeclaim-"+claim+"}, "+
			"csi: {driver: csi.example.com, volumeHandle: h-"+claim+"}}\nstatus: {phase: "+phase+"}")
}

func namespaceGoing() string {
	return object("v1", "Namespace", "/shop",
		fmt.Sprintf("deletionTimestamp: %q", now.Add(-time.Minute).Format(time.RFC3339)),
		"spec: {finalizers: [kubernetes]}\nstatus: {phase: Terminating}")
}

func secret(name string) string {
	return object("v1", "Secret", name, going("lab.example.com/hold"), "")
}

func configMap(name, meta string) string { return object("v1", "ConfigMap", name, meta, "") }

func pod(claim string) string {
	return object("v1", "Pod", "app", "", "spec: {nodeName: n1, volumes: [{name: v, "+
		"persistentVolumeClaim: {claimName: "+claim+
		"}}]}\nstatus: {phase: Running}")
}

const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard, uid: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: gone, name: gone}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [persistentvolumes], operations: [UPDATE], scope: "*"}]
  failurePolicy: Fail
  sideEffects: None
  admissionReviewVersions: [v1]`

func rescueCases() []rescueCase {
	shop := object("v1", "Namespace", "/shop", "", "")
	const data = "persistentvolumeclaims/data"
	const bound = "WaitUntilGone ReleaseVolumes RecreateClaims WaitUntilBound"
	return []rescueCase{
		{
			name: "claim in use", target: data, objects: []string{claimGoing("data"), volume("data", "Delete", "Bound"),
				pod("data")},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow",
			returns: "StopUser " + bound + " RestorePolicy",
			says: []string{
				`"persistentVolumeReclaimPolicy":"Retain"`, "Costs: nothing deletes the storage by itself",
				"If that does not end, the last command says what holds PersistentVolumeClaim shop/data",
				"why persistentvolumeclaims/data -n shop --ignore-not-found",
			},
		},
		{
			name: "claim that a GitOps tool applies", target: data, objects: []string{
				strings.Replace(claimGoing("data"), "finalizers:",
					"labels: {kustomize.toolkit.fluxcd.io/name: shop}, finalizers:", 1), volume("data", "Delete", "Bound")},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow",
			returns: "PauseAppliers " + bound + " RestorePolicy",
			says:    []string{"Pause Kustomization shop until all is back. It creates again what was deleted"},
		},
		{
			name: "claim with a retained volume", target: data, objects: []string{claimGoing("data"),
				volume("data", "Retain", "Bound")},
			outcome: result.CanBeKept, lost: "DeletionStands", safe: "VolumeIsRetained", returns: bound,
			says: []string{"nothing deletes it"}, never: []string{"STOP THE LOSS"},
		},
		{
			name: "claim that is gone", target: data, objects: []string{volume("data", "Delete", "Released"), shop},
			outcome: result.PartlyLost, lost: "ObjectIsGone StorageMayBeGone", stops: "RetainVolumesNow",
			returns: "ReleaseVolumes RecreateClaims WaitUntilBound RestorePolicy",
			says:    []string{"csi.example.com may be deleting the storage now"},
		},
		{
			name: "volume that a claim has left", target: "persistentvolumes/disk-data",
			objects: []string{volume("data", "Delete", "Released"), shop},
			outcome: result.PartlyLost, lost: "StorageMayBeGone", stops: "RetainVolumesNow",
			returns: "ReleaseVolumes RecreateClaims WaitUntilBound RestorePolicy",
			says: []string{"PersistentVolume disk-data is left over from a claim that is gone. Some of its data may be lost",
				`"persistentVolumeReclaimPolicy":"Retain"`},
		},
		{
			name: "retained volume that a claim has left", target: "persistentvolumes/disk-data",
			objects: []string{volume("data", "Retain", "Released"), shop},
			outcome: result.CanBeKept, safe: "VolumeIsRetained", returns: "ReleaseVolumes RecreateClaims WaitUntilBound",
			never: []string{"STOP THE LOSS"},
		},
		{
			name: "volume under a live claim", target: "persistentvolumes/disk-data",
			objects: []string{claimOwned("data", "ConfigMap/none"), volume("data", "Delete", "Bound")},
			outcome: result.NotDeleted,
		},
		{
			name: "claim that is gone with its namespace", target: data,
			objects: []string{volume("data", "Retain", "Released")},
			outcome: result.CanBeKept, lost: "ObjectIsGone", safe: "VolumeIsRetained",
			returns: "RecreateNamespace ReleaseVolumes RecreateClaims WaitUntilBound",
			says:    []string{"Create Namespace shop again. kubectl create namespace shop"},
		},
		{name: "claim that has left nothing", target: data, objects: []string{configMap("other", "")}, fails: true},
		{
			name: "claim that has left nothing that can be read", target: data, objects: []string{configMap("other", "")},
			deny: []string{"persistentvolumes"}, outcome: result.NotClear, lost: "NothingOfObject",
			says:  []string{"PersistentVolumeClaim shop/data does not exist, and nothing that was found shows that it did."},
			never: []string{"is gone"},
		},
		{
			name: "claim whose volume is gone", target: data, objects: []string{claimGoing("data")},
			outcome: result.AllLost, lost: "DeletionStands VolumeAlreadyGone", returns: "WaitUntilGone RecreateClaims",
		},
		{
			name: "claim that was not deleted", target: data,
			objects: []string{claimOwned("data", "ConfigMap/none"),
				volume("data", "Delete", "Bound")}, outcome: result.NotDeleted,
		},
		{
			name: "refusing webhook", target: data, objects: []string{claimGoing("data"), volume("data", "Delete", "Bound"),
				webhook},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "LetRequestsPass RetainVolumesNow",
			returns: bound + " RestorePolicy", says: []string{"IN THE WAY", "guard"},
		},
		{
			name: "volume under its claim", target: "persistentvolumes/disk-data",
			objects: []string{
				object("v1", "PersistentVolumeClaim", "data", "", "spec: {volumeName: disk-data}"),
				volumeWith("data", "Delete", "Bound", going("kubernetes.io/pv-protection")),
			},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow",
			returns: "DeleteClaimBelow WaitUntilGone RecreateVolumes RecreateClaims WaitUntilBound RestorePolicy",
		},
		{
			name: "namespace", target: "namespaces/shop",
			objects: []string{namespaceGoing(), claimGoing("a"), volume("a", "Delete", "Bound"),
				volume("b", "Delete", "Released"), secret("login")},
			outcome: result.PartlyLost, lost: "DeletionStands ContentGone StorageMayBeGone SecretsNotSaved",
			stops:   "RetainVolumesNow",
			returns: "WaitUntilGone RecreateFirst ReleaseVolumes RecreateClaims WaitUntilBound RestorePolicy",
			says:    []string{"persistentvolumes/disk-a persistentvolumes/disk-b"},
		},
		{
			name: "claim that goes with its namespace", target: data,
			objects: []string{namespaceGoing(), claimOwned("data", "ConfigMap/none"), volume("data", "Delete", "Bound")},
			outcome: result.PartlyLost, stops: "RetainVolumesNow", lost: "DeletionStands ContentGone",
			returns: "WaitUntilGone RecreateFirst ReleaseVolumes RecreateClaims WaitUntilBound RestorePolicy",
			says:    []string{"PersistentVolumeClaim shop/data goes with its namespace.", "persistentvolumes/disk-data"},
		},
		{
			name: "claim in a namespace that goes", target: data, objects: []string{namespaceGoing(), claimGoing("data"),
				volume("data", "Delete", "Bound")},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow", returns: "RescueNamespaceToo",
		},
		{
			name: "owner with dependents", target: "configmaps/top",
			objects: []string{
				configMap("top", going("lab.example.com/hold")), configMap("left", ownedBy("ConfigMap/top")),
				claimOwned("data", "ConfigMap/left"), volume("data", "Delete", "Bound"),
			},
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "RetainVolumesNow OrphanDependents",
			returns: "WaitUntilGone RecreateRest GiveOwners RestorePolicy",
			says:    []string{"delete configmaps/top --cascade=orphan", "ConfigMap shop/left stays"},
		},
		{
			name: "project that keeps by a setting", target: "databases.shop.example.com/orders",
			objects: []string{database("finalizer.managedresource.crossplane.io", "{deletionPolicy: Delete}")},
			outcome: result.PartlyLost, lost: "DeletionStands OutsideMayBeGone", stops: "KeepOutside",
			returns: "ForceOut WaitUntilGone RecreateRest", says: []string{`"deletionPolicy":"Orphan"`,
				"crossplane.io/external-name", "It does not act now, and deletes that as soon as it acts."},
		},
		{
			name: "project that keeps already", target: "databases.shop.example.com/orders",
			objects: []string{database("finalizer.managedresource.crossplane.io", "{deletionPolicy: Orphan}")},
			outcome: result.CanBeKept, lost: "DeletionStands", safe: "OutsideIsKept",
			returns: "ForceOut WaitUntilGone RecreateRest",
		},
		{
			name: "operator that waits for a node", target: "databases.shop.example.com/orders",
			objects: operator(1), outcome: result.CanBeKept, lost: "DeletionStands", stops: "StopController",
			returns: "ForceOut WaitUntilGone RecreateRest StartController",
			says:    []string{"It does not act now, and may at any moment."},
		},
		{
			name: "operator that is scaled to zero", target: "databases.shop.example.com/orders",
			objects: operator(0), outcome: result.CanBeKept, lost: "DeletionStands", safe: "NothingActsOutside",
			returns: "ForceOut WaitUntilGone RecreateRest", never: []string{"STOP THE LOSS"},
		},
		{
			name: "object whose definition goes as well", target: "databases.shop.example.com/orders",
			objects: append(operator(0), databases),
			outcome: result.CanBeKept, lost: "DeletionStands", safe: "NothingActsOutside",
			returns: "ForceOut WaitUntilGone RecreateFirst WaitUntilServed RecreateRest",
		},
		{
			name: "definition whose instance is not deleted yet", target: definitions + "databases.shop.example.com",
			objects: []string{databases, object("shop.example.com/v1", "Database", "orders",
				"finalizers: [shop.example.com/drop]", "spec: {size: 3}")},
			outcome: result.PartlyLost, lost: "DeletionStands InstancesGone", safe: "NothingActsOutside",
			returns: "DeleteNow ForceOut WaitUntilGone RecreateFirst WaitUntilServed RecreateRest",
			says:    []string{"is not being deleted yet"},
		},
		{
			name: "definition with many instances", target: definitions + "databases.shop.example.com",
			objects: manyInstances(going("shop.example.com/drop"), "finalizers: [shop.example.com/drop]"),
			outcome: result.PartlyLost, lost: "DeletionStands InstancesGone", safe: "NothingActsOutside NothingActsOutside",
			returns: "DeleteNow ForceOut WaitUntilGone RecreateFirst WaitUntilServed RecreateRest",
			says: []string{
				`remove databases.shop.example.com/a databases.shop.example.com/b \ databases.shop.example.com/c -n`,
				"delete databases.shop.example.com/c --wait=false", "from those of 3 Databases",
			},
		},
		{
			name: "instances with different finalizers", target: definitions + "databases.shop.example.com",
			objects: manyInstances(going("shop.example.com/drop"), going("shop.example.com/erase")),
			outcome: result.PartlyLost, lost: "DeletionStands InstancesGone", safe: "NothingActsOutside NothingActsOutside",
			returns: "ForceOut WaitUntilGone RecreateFirst WaitUntilServed RecreateRest",
			says:    []string{"Remove shop.example.com/drop and shop.example.com/erase by force"},
		},
		{
			name: "objects of Flux without its controllers", target: "namespaces/shop",
			objects: append(flux(), namespaceGoing()),
			outcome: result.PartlyLost, lost: "DeletionStands ContentGone", stops: "KeepOutside KeepOutside",
			returns: "ForceOut WaitUntilGone RecreateFirst RecreateRest",
			says: []string{
				"Tell helm-controller to leave alone what HelmRelease shop/redis has created",
				"what was created stays and keeps running", "so what the objects have created stays",
				`remove kustomizations.kustomize.toolkit.fluxcd.io/apps \ helmreleases.helm.toolkit.fluxcd.io/redis -n shop`,
			},
			never: []string{"outside", "may have been deleting it", "stand for"},
		},
		{
			name: "volumes that can't be read", target: data, objects: []string{claimGoing("data"),
				volume("data", "Delete", "Bound")},
			deny: []string{"persistentvolumes"}, outcome: result.PartlyLost, lost: "DeletionStands VolumeNotRead",
			stops: "RetainVolumesNow", returns: "WaitUntilGone RecreateClaims",
			says: []string{"ask an administrator now", "NOT LOOKED AT"},
		},
		{
			name: "snapshot", target: "volumesnapshots.snapshot.storage.k8s.io/nightly", objects: snapshot("Delete"),
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "KeepOutside", returns: "WaitUntilGone RecreateRest",
			says: []string{`volumesnapshotcontents.snapshot.storage.k8s.io/kept --type merge \ -p '{"spec":{"deletionPolicy":`,
				"Save the manifests of 2 objects", "takes no new snapshot of its claim", "kept-rescued"},
		},
		{
			name: "snapshot whose handle is not known", target: "volumesnapshots.snapshot.storage.k8s.io/nightly",
			objects: append(snapshot("Delete")[:1], strings.Replace(snapshot("Delete")[1], "snapshotHandle", "other", 1)),
			outcome: result.CanBeKept, lost: "DeletionStands", stops: "KeepOutside", returns: "WaitUntilGone RecreateRest",
			says: []string{"A VolumeSnapshot as it was takes a new snapshot of its claim."}, never: []string{"-rescued"},
		},
		{
			name: "snapshot of a namespace", target: "namespaces/shop", objects: append(snapshot("Delete"), namespaceGoing()),
			outcome: result.PartlyLost, lost: "DeletionStands ContentGone", stops: "KeepOutside",
			returns: "WaitUntilGone RecreateFirst RecreateRest", says: []string{"snap-1"},
			never: []string{"goes with Namespace shop", "by force"}, // no namespace takes the content along
		},
		{
			name: "snapshot of a namespace whose content is being deleted", target: "namespaces/shop",
			objects: append(snapshot("Delete")[:1], namespaceGoing(), strings.Replace(snapshot("Delete")[1], "finalizers:",
				"deletionTimestamp: \"2026-01-01T00:00:00Z\", finalizers:", 1)),
			outcome: result.PartlyLost, lost: "DeletionStands ContentGone OutsideMayBeGone", stops: "KeepOutside",
			returns: "ForceOut WaitUntilGone RecreateFirst RecreateRest",
			says:    []string{"remove volumesnapshotcontents.snapshot.storage.k8s.io/kept"},
		},
		{
			name: "retained snapshot", target: "volumesnapshots.snapshot.storage.k8s.io/nightly",
			objects: snapshot("Retain"), outcome: result.CanBeKept, lost: "DeletionStands", safe: "OutsideIsKept",
			returns: "WaitUntilGone RecreateRest", never: []string{"STOP THE LOSS"},
		},
		{
			name: "snapshot whose content can't be read", target: "volumesnapshots.snapshot.storage.k8s.io/nightly",
			objects: snapshot("Delete"), deny: []string{"volumesnapshotcontents"},
			outcome: result.PartlyLost, lost: "DeletionStands SnapshotUnread", safe: "NothingActsOutside",
			returns: "ForceOut WaitUntilGone RecreateRest", says: []string{"NOT LOOKED AT"},
		},
	}
}

// snapshot is a VolumeSnapshot that is being deleted, with its content.
func snapshot(policy string) []string {
	const group = "snapshot.storage.k8s.io/v1"
	return []string{
		object(group, "VolumeSnapshot", "nightly", going("snapshot.storage.kubernetes.io/volumesnapshot-bound-protection"),
			"spec: {source: {persistentVolumeClaimName: data}}\nstatus: {boundVolumeSnapshotContentName: kept}"),
		object(group, "VolumeSnapshotContent", "/kept",
			"finalizers: [snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection]",
			"spec: {deletionPolicy: "+policy+", driver: csi.example.com, volumeSnapshotRef: {namespace: shop, name: nightly, "+
				"uid: volumesnapshot-nightly}}\nstatus: {snapshotHandle: snap-1}"),
	}
}

const definitions = "customresourcedefinitions.apiextensions.k8s.io/"

// databases is the definition of Databases, which is being deleted.
var databases = object("apiextensions.k8s.io/v1", "CustomResourceDefinition",
	"/databases.shop.example.com", going("customresourcecleanup.apiextensions.k8s.io"),
	"spec: {group: shop.example.com, scope: Namespaced, names: {plural: databases, kind: Database}, versions: "+
		"[{name: v1, served: true, storage: true}]}")

// manyInstances are the definition and three Databases, the last with other metadata.
func manyInstances(first, last string) []string {
	all := []string{databases}
	for i, meta := range []string{first, first, last} {
		all = append(all, object("shop.example.com/v1", "Database", string("abc"[i]), meta, "spec: {size: 3}"))
	}
	return all
}

// flux are two kinds of objects that have created others, and wait for different controllers.
func flux() []string {
	const finalizer = "finalizers.fluxcd.io"
	return []string{
		object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "apps", going(finalizer), "spec: {prune: true}"),
		object("helm.toolkit.fluxcd.io/v2", "HelmRelease", "redis", going(finalizer), "spec: {interval: 5m}"),
	}
}

func database(finalizer, spec string) string {
	return object("shop.example.com/v1", "Database", "orders", going(finalizer), "spec: "+spec)
}

// operator is a Database with its operator, which asks for a number of pods and has none that is ready.
func operator(replicas int) []string {
	subjects := "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: operator}\n" +
		"subjects: [{kind: ServiceAccount, name: operator, namespace: shop}]"
	return []string{
		database("shop.example.com/drop", "{size: 3}"),
		object("v1", "ServiceAccount", "operator", "", ""),
		object("rbac.authorization.k8s.io/v1", "ClusterRole", "/operator", "",
			"rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, update]}]"),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "/operator", "", subjects),
		object("apps/v1", "Deployment", "operator", "", fmt.Sprintf("spec: {replicas: %[1]d, "+
			"selector: {matchLabels: {app: operator}}, template: {spec: {serviceAccountName: operator}}}\n"+
			"status: {replicas: %[1]d}", replicas)),
	}
}
