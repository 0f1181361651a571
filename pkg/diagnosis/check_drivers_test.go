package diagnosis_test

import "fmt"

// liveVolume is a volume that was not deleted.
func liveVolume(name, driver string, finalizers string) string {
	return object("v1", "PersistentVolume", "", name, "finalizers: ["+finalizers+"]",
		fmt.Sprintf("spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: %s}}\nstatus: {phase: Bound}", driver))
}

// checkDriverCases are live volumes and attachments whose storage drivers are missing, down, and there.
func checkDriverCases() []checkCase {
	const driver = "disk.csi.example.com"
	disk := liveVolume("disk", driver, provisionerHolds)
	return []checkCase{{
		name: "live volumes of two drivers, one of which is gone",
		objects: []string{disk, liveVolume("second", driver, provisionerHolds), liveVolume("third", "other.csi.example.com",
			provisionerHolds),
			csiDriver()},
		want: []string{"Warning ControllerMissing PersistentVolume/third"},
		says: []string{"will probably get stuck when it is deleted", "other.csi.example.com", "get csidrivers"},
	}, {
		name: "live volumes whose driver is gone", objects: []string{disk, liveVolume("second", driver, provisionerHolds)},
		want: []string{"Warning ControllerMissing PersistentVolume/disk × 2"},
	}, {
		name: "a live volume whose driver is scaled to nothing", objects: []string{disk, csiDriver(), workload(0, 0, 0, "")},
		want: []string{"Warning ControllerDown PersistentVolume/disk"},
		says: []string{"scaled to 0", "scale deployments.apps/driver"},
	}, {
		name: "a live volume whose driver runs", objects: []string{disk, csiDriver(), workload(0, 1, 1, "")},
	}, {
		name: "live volumes of a driver whose Deployment doesn't name it and is scaled to 0, and of another one",
		objects: []string{
			disk, liveVolume("share", "nfs.csi.example.org", provisionerHolds), sidecars("csi-controller", 0),
			leads("disk-csi-example-com", "csi-controller", 3600e9), otherSidecars(),
		},
		want: []string{"Warning ControllerDown PersistentVolume/disk"},
		says: []string{"scale deployments.apps/csi-controller"},
	}, {
		name: "a live attachment whose driver is gone", objects: []string{attachment("finalizers: ["+attacherHolds+"]",
			"attached: true")},
		want: []string{"Warning ControllerMissing VolumeAttachment/att"},
	}, {
		name: "a live volume whose driver's workloads can't be read", deny: "daemonsets", objects: []string{disk},
		says: []string{"DaemonSets"},
	}, {
		name: "a volume whose storage driver nothing tells", objects: []string{object("v1", "PersistentVolume", "", "disk",
			"finalizers: ["+provisionerHolds+"]", "")},
	}, {
		name:    "a volume that is being deleted, whose driver is gone",
		objects: []string{volume("phase: Released", provisionerHolds)},
	}}
}

// checkClaimCases are live claims in a checked namespace, whose volumes' storage drivers are missing, and there.
func checkClaimCases() []checkCase {
	claimOf := func(name string) []string {
		return []string{
			object("v1", "PersistentVolumeClaim", "shop", name, "finalizers: [kubernetes.io/pvc-protection]",
				"spec: {volumeName: "+name+"}"),
			object("v1", "PersistentVolume", "", name, "annotations: {pv.kubernetes.io/provisioned-by: disk.csi.example.com}",
				fmt.Sprintf("spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: disk.csi.example.com}, "+
					"claimRef: {namespace: shop, name: %s, uid: persistentvolumeclaim-%s}}\nstatus: {phase: Bound}", name, name)),
		}
	}
	two := append(claimOf("data"), claimOf("more")...)
	return []checkCase{{
		name: "claims in a namespace whose storage driver is gone", namespace: "shop", objects: two,
		want: []string{"Warning ControllerMissing PersistentVolumeClaim/shop/data × 2"},
		says: []string{"PersistentVolume data stays, with its storage", "get csidrivers"},
	}, {
		name: "claims in a namespace whose storage driver is there", namespace: "shop", objects: append(two, csiDriver()),
	}, {
		name: "a claim in another namespace", namespace: "other", objects: append(two, object("v1", "ConfigMap", "other",
			"x", "", "")),
	}, {
		name: "claims in a namespace whose volumes can't be read", namespace: "shop", deny: "persistentvolumes", objects: two,
	}, {
		name: "claims in a namespace whose storage driver can't be looked for", namespace: "shop", deny: "csidrivers",
		objects: two,
	}}
}
