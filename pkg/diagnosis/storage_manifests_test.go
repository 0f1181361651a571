package diagnosis_test

import (
	"fmt"
	"strings"
	"time"
)

// volume is PersistentVolume disk of driver disk.csi.example.com, deleted an hour ago.
func volume(status string, finalizers ...string) string {
	return volumeSince(time.Hour, status, finalizers...)
}

func volumeSince(ago time.Duration, status string, finalizers ...string) string {
	return object("v1", "PersistentVolume", "", "disk", deleted(ago, finalizers...),
		"spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: disk.csi.example.com}, claimRef: {namespace: shop, "+
			"name: data, uid: persistentvolumeclaim-data}}\nstatus: {"+status+"}")
}

func attachment(meta, status string) string {
	return object("storage.k8s.io/v1", "VolumeAttachment", "", "att", meta,
		"spec: {attacher: disk.csi.example.com, nodeName: n1, source: {persistentVolumeName: disk}}\nstatus: {"+status+"}")
}

func csiDriver() string {
	return object("storage.k8s.io/v1", "CSIDriver", "", "disk.csi.example.com", "", "")
}

// workload runs a container that is told a name; one that is ready has a pod.
func workload(kind, replicas, ready int, status string) string {
	kinds := []string{"Deployment", "StatefulSet", "DaemonSet"}
	spec := fmt.Sprintf("spec: {replicas: %d, selector: {matchLabels: {app: driver}}, template: {metadata: {labels: "+
		"{app: driver}}, "+
		"spec: {containers: [{name: main, args: [--drivername=disk.csi.example.com]}]}}}\n"+
		"status: {readyReplicas: %d, numberReady: %d, desiredNumberScheduled: 3%s}", replicas, ready, ready, status)
	made := object("apps/v1", kinds[kind], "storage", "driver", "", spec)
	if ready > 0 && kind < 2 {
		made = together(made, driverPod("driver", "True"))
	}
	return made
}

// driverPod is a pod of a workload in namespace storage.
func driverPod(of, ready string) string {
	return object("v1", "Pod", "storage", of+"-5d9c7-x2xzk", fmt.Sprintf("labels: {app: %s}, creationTimestamp: %q", of,
		at(2*time.Hour)),
		fmt.Sprintf("spec: {nodeName: n1, serviceAccountName: %s, containers: [{name: main}]}\nstatus: {phase: Running, "+
			"conditions: [{type: Ready, status: %q}]}", of, ready))
}

// sidecars is a Deployment with a driver's sidecars, that names no driver.
func sidecars(name string, replicas int) string {
	return object("apps/v1", "Deployment", "storage", name, "", fmt.Sprintf(
		"spec: {replicas: %d, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: "+
			"{serviceAccountName: %s, "+
			"containers: [{name: csi-attacher, args: [--csi-address=/csi/csi.sock]}, {name: csi-provisioner}, "+
			"{name: plugin}]}}}", replicas, name, name, name))
}

// leads is the Lease of a driver's sidecar, renewed some time ago by a pod of a workload.
func leads(name, workload string, ago time.Duration) string {
	return object("coordination.k8s.io/v1", "Lease", "storage", name, "",
		fmt.Sprintf("spec: {holderIdentity: %s-5d9c7-x2xzk, leaseDurationSeconds: 15, renewTime: %q}", workload,
			noonBefore(ago)))
}

// noonBefore is a time as Leases have it.
func noonBefore(ago time.Duration) string {
	moment, err := time.Parse(time.RFC3339, at(ago))
	if err != nil {
		panic(err)
	}
	return moment.Format("2006-01-02T15:04:05.000000Z07:00")
}

// letsWriteVolumes gives a ServiceAccount in namespace storage verbs on volumes and their attachments.
func letsWriteVolumes(account, verbs string) string {
	rule := "rules: [{apiGroups: ['', storage.k8s.io], resources: [persistentvolumes, volumeattachments], verbs: [" +
		verbs + "]}]"
	binding := fmt.Sprintf("roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}\nsubjects: "+
		"[{kind: ServiceAccount, name: %s, namespace: storage}]", account, account)
	return together(object("rbac.authorization.k8s.io/v1", "ClusterRole", "", account, "", rule),
		object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", account, "", binding))
}

// otherSidecars are those of another driver, which runs and leads.
func otherSidecars() string {
	return together(object("storage.k8s.io/v1", "CSIDriver", "", "nfs.csi.example.org", "", ""), sidecars("nfs", 1),
		driverPod("nfs", "True"),
		letsWriteVolumes("nfs", "get, list, watch, patch"),
		leads("external-attacher-leader-nfs-csi-example-org", "nfs", time.Second), leads("nfs-csi-example-org", "nfs",
			time.Second))
}

// warned is a Warning event about an object some time ago.
func warned(namespace, uid, reason, by, message string, ago time.Duration) string {
	return object("v1", "Event", namespace, "e-"+strings.ToLower(reason)+fmt.Sprint(int(ago.Seconds())), "",
		fmt.Sprintf("involvedObject: {uid: %s}\ntype: Warning\nreason: %s\nmessage: %q\nsource: "+
			"{component: %s}\nlastTimestamp: %q", uid, reason, message, by, at(ago)))
}

func classOfDisks(ago time.Duration) string {
	return object("storage.k8s.io/v1", "VolumeAttributesClass", "", "fast", deleted(ago, "kubernetes.io/vac-protection"),
		"driverName: disk.csi.example.com")
}
