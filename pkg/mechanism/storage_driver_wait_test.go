package mechanism

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const csiVolume = "csi: {driver: csi.example.com, volumeHandle: v}, persistentVolumeReclaimPolicy: Delete"

// driverPart is a workload of a storage driver, with a ServiceAccount of its name. more is beside the containers in the
// template's spec, or in the workload's.
func driverPart(kind, name, containers string, more ...string) string {
	spec := fmt.Sprintf("spec: {selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}},"+
		" spec: {serviceAccountName: %s, containers: [%s]}}%s}", name, name, name, containers, strings.Join(more, ""))
	return manifest("apps/v1", kind, "csi", name, "", spec)
}

// partPod is a pod of this workload.
func partPod(text, ready string) string {
	const spec = "spec: {serviceAccountName: %s, nodeName: n1, containers: [{name: c}]}\n" +
		`status: {phase: Running, conditions: [{type: Ready, status: "%s"}]}`
	meta := "labels: {app: " + text + "}, creationTimestamp: " + ago(time.Hour)
	return manifest("v1", "Pod", "csi", text+"-5d9c7-x2xzk", meta, fmt.Sprintf(spec, text, ready))
}

// leaseHeldBy is a Lease that a holder renewed some time ago.
func leaseHeldBy(name, holder string, renewed time.Duration) string {
	return strings.Replace(leaseOf("csi", name, renewed), "holderIdentity: me", "holderIdentity: "+holder, 1)
}

// lets gives a ServiceAccount in the drivers' namespace verbs on what a sidecar patches.
func lets(account, verbs string) string {
	const group = "rbac.authorization.k8s.io"
	role := fmt.Sprintf("rules: [{apiGroups: ['', storage.k8s.io], resources: [persistentvolumes, volumeattachments], "+
		"verbs: [%s]}]", verbs)
	binding := fmt.Sprintf("roleRef: {apiGroup: %s, kind: ClusterRole, name: %s}\n"+
		"subjects: [{kind: ServiceAccount, name: %s, namespace: csi}]", group, account, account)
	return manifest(group+"/v1", "ClusterRole", "", account, "", role) +
		manifest(group+"/v1", "ClusterRoleBinding", "", account, "", binding)
}

func otherDriver() string {
	return manifest("storage.k8s.io/v1", "CSIDriver", "", "nfs.csi.example.org", "", "")
}

const sidecars = "{name: csi-attacher}, {name: csi-provisioner}, {name: plugin}"

func TestStorageDriver(t *testing.T) {
	volume := deletedVolume(provisionerFinalizer, csiVolume, "Released")
	named := "{name: c, args: [--driver=csi.example.com]}"
	nfs := driverPart("Deployment", "nfs-controller", sidecars) + partPod("nfs-controller", "True")
	down := func(workload string) []string {
		return []string{"wait " + workload, "  cause ControllerDown ControllerNotRunning " + workload}
	}
	silent := []string{"open StorageDriverSilent PersistentVolume pv-1"}
	missing := []string{"cause ControllerMissing StorageDriverMissing PersistentVolume pv-1 key " +
		"StorageDriverMissing,csi.example.com"}
	zero := driverPart("Deployment", "ctl", sidecars, ", replicas: 0")
	left := leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Hour)
	may := lets("ctl", "get, patch")
	const release = "annotations: {meta.helm.sh/release-name: block, meta.helm.sh/release-namespace: csi}"
	runCases(t, []mechanismCase{
		{name: "named, scaled to zero", objects: volume + driverPart("Deployment", "ctl", named, ", replicas: 0"),
			told: down("Deployment csi/ctl")},
		{name: "named, not ready", objects: volume + driverPart("StatefulSet", "ctl", named) + partPod("ctl", "False"),
			told: down("StatefulSet csi/ctl")},
		{name: "named, ready", objects: volume + driverPart("Deployment", "ctl", named) + partPod("ctl", "True"),
			told: silent},
		{name: "only on the nodes", objects: volume + driverPart("DaemonSet", "node", named), told: silent},
		{name: "known by its Lease, whose holder is gone", objects: volume + zero + left, told: down("Deployment csi/ctl")},
		{name: "known by its Lease, whatever its containers are called", objects: volume + driverPart("Deployment", "ctl",
			"{name: c}", ", replicas: 0") + left, told: down("Deployment csi/ctl")},
		{name: "known by its Lease, beside another driver's", objects: volume + otherDriver() + nfs + zero + left,
			told: down("Deployment csi/ctl")},
		{name: "known by its Lease and longer name", objects: volume + driverPart("Deployment", "c", sidecars) + partPod("c",
			"True") +
			strings.ReplaceAll(zero, "ctl", "c-tl") + strings.ReplaceAll(left, "ctl", "c-tl"),
			told: down("Deployment csi/c-tl")},
		{name: "known by the node's plugin beside it", objects: volume + zero + driverPart("DaemonSet", "node", named),
			told: down("Deployment csi/ctl")},
		{name: "known by RBAC and its container alone", objects: volume + zero + may, told: down("Deployment csi/ctl")},
		{name: "known by the Lease that it gave up", objects: volume + otherDriver() + nfs + zero +
			leaseHeldBy("csi-example-com", "''", time.Hour) +
			leaseHeldBy("nfs-csi-example-org", "nfs-controller-5d9c7-x2xzk", time.Second), told: down("Deployment csi/ctl")},
		{name: "known by another duty's Lease, its own naming no pod", objects: volume + otherDriver() + nfs + zero +
			leaseHeldBy("csi-example-com", "1619522834553-8081-csi-example-com", time.Hour) +
			leaseHeldBy("external-attacher-leader-csi-example-com", "ctl-5d9c7-x2xzk", time.Hour),
			told: down("Deployment csi/ctl")},
		{name: "two drivers beside one another, whose Leases name nobody", objects: volume + otherDriver() + zero +
			leaseHeldBy("csi-example-com", "''", time.Hour) + leaseHeldBy("nfs-csi-example-org", "''", time.Hour), told: silent},
		{name: "known by the driver's name alone", objects: strings.ReplaceAll(volume, "csi.example.com",
			"nfs.csi.example.org") + csiDriver() + otherDriver() +
			driverPart("Deployment", "nfs-controller", sidecars, ", replicas: 0") + zero,
			told: down("Deployment csi/nfs-controller")},
		{name: "known by the Helm release of its registration", objects: volume + strings.Replace(csiDriver(),
			"uid: csidriver-csi.example.com", "uid: d, "+release, 1) +
			otherDriver() + strings.Replace(zero, "uid: deployment-ctl", "uid: w, "+release, 1),
			told: down("Deployment csi/ctl")},
		{name: "a container, and no rights", objects: volume + zero, told: silent},
		{name: "two with the container", objects: volume + zero + may + driverPart("Deployment", "another", sidecars),
			told: silent},
		{name: "runs, leads and may", objects: volume + zero + partPod("ctl", "True") + may + leaseHeldBy("csi-example-com",
			"ctl-5d9c7-x2xzk", time.Second), told: silent},
		{name: "runs, leads and may not", objects: volume + zero + partPod("ctl", "True") + lets("ctl", "get, list") +
			leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Second),
			told: []string{"cause ControllerForbidden ControllerMayNotUpdate PersistentVolume pv-1 key " +
				"forbidden controller,external-provisioner.volume.kubernetes.io/finalizer,persistentvolumes,Deployment csi/ctl"}},
		{name: "isn't ready, and leads", objects: volume + zero + partPod("ctl", "False") + may +
			leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Second), told: silent},
		{name: "ready, and nobody renews its Lease, but that of its other duty", objects: volume + zero + partPod("ctl",
			"True") + may + left +
			leaseHeldBy("external-attacher-leader-csi-example-com", "ctl-5d9c7-x2xzk", time.Second),
			told: down("Deployment csi/ctl")},
		{name: "somebody leads who isn't to be seen", objects: volume + leaseHeldBy("csi-example-com", "elsewhere",
			time.Second), told: silent},
		{name: "gone, and its Lease is left", objects: volume + csiDriver() + left, told: missing},
		{name: "gone, and another driver's runs that goes by its name", objects: volume + otherDriver() + nfs, told: missing},
		{name: "gone, and another driver's leads", objects: volume + driverPart("Deployment", "x", sidecars) + partPod("x",
			"True") +
			leaseHeldBy("external-attacher-leader-other", "x-5d9c7-x2xzk", time.Second), told: missing},
		{name: "gone, and another driver's is told its name", objects: volume + otherDriver() +
			driverPart("Deployment", "x", sidecars+", {name: d, args: [--name=nfs.csi.example.org]}"), told: missing},
		{name: "gone, and another driver's stands beside its own node plugin", objects: volume + otherDriver() +
			driverPart("DaemonSet", "nfs-node", "{name: d, args: [--name=nfs.csi.example.org]}") + driverPart("Deployment", "x",
			sidecars), told: missing},
		{name: "registered with a kubelet alone", objects: volume + manifest("storage.k8s.io/v1", "CSINode", "", "n1", "",
			"spec: {drivers: [{name: csi.example.com, nodeID: n1}]}"), told: silent},
		{name: "workloads that may not be read", objects: volume + csiDriver(), deny: "daemonsets"},
		{name: "Leases that may not be read", objects: volume, deny: "leases"},
		{name: "nodes' drivers that may not be read", objects: volume, deny: "csinodes"},
		{name: "pods that may not be read", objects: volume + zero + left, deny: "pods"},
		{name: "rights that may not be read", objects: volume + zero + partPod("ctl", "True") +
			leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Second), deny: "clusterroles"},
	})
}

func TestStorageDriverDown(t *testing.T) {
	volume := deletedVolume(provisionerFinalizer, csiVolume, "Released")
	answer := ask(t, volume+driverPart("Deployment", "ctl", sidecars, ", replicas: 0")+leaseHeldBy("csi-example-com",
		"ctl-5d9c7-x2xzk", time.Hour))
	cause := answer.Waits[0].Otherwise.Causes[0]
	var steps []string
	for _, remedy := range cause.Remedies {
		steps = append(steps, remedy.Step)
	}
	if diff := cmp.Diff([]string{"ScaleUpController", "ForgetVolume"}, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if command := cause.Remedies[1].Command.String(); !strings.Contains(command, "--override ControllerDown") {
		t.Errorf("the last resort is %s", command)
	}
}

func TestAbsentDriver(t *testing.T) {
	const spec = "spec: {csi: {driver: csi.example.com, volumeHandle: v}}"
	live := manifest("v1", "PersistentVolume", "", "pv-1", "finalizers: ["+provisionerFinalizer+"]", spec)
	for name, c := range map[string]struct {
		objects, deny string
		absent        bool
		unread        int
	}{
		"nothing of it": {objects: live, absent: true}, "registered": {objects: live + csiDriver()},
		"scaled to zero": {
			objects: live + driverPart("Deployment", "ctl", sidecars, ", replicas: 0") + leaseHeldBy("csi-example-com",
				"ctl-5d9c7-x2xzk", time.Hour),
			absent: true,
		},
		"unread": {objects: live, deny: "csidrivers", unread: 1},
	} {
		tools := toolsFor(t, c.objects, c.deny)
		found := Absent(t.Context(), tools, firstOf(t, tools, live), provisionerFinalizer)
		if (found.Cause != nil) != c.absent || len(found.Unread) != c.unread {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestStorageDriverAtWork(t *testing.T) {
	meta := "deletionTimestamp: " + ago(5*time.Second) + ", finalizers: [" + provisionerFinalizer + "]"
	const spec = "spec: {csi: {driver: csi.example.com, volumeHandle: v}}\nstatus: {phase: Released}"
	volume := manifest("v1", "PersistentVolume", "", "pv-1", meta, spec)
	controller := driverPart("Deployment", "ctl", sidecars) + partPod("ctl", "True") + lets("ctl", "patch") +
		leaseHeldBy("csi-example-com", "ctl-5d9c7-x2xzk", time.Second)
	runCases(t, []mechanismCase{{
		name: "a moment after the deletion", objects: volume + csiDriver() + controller,
		told: []string{"progress StorageDriverSilent PersistentVolume pv-1"},
	}, {
		name: "a moment after the deletion, and nothing is seen to run", objects: volume + csiDriver(),
		told: []string{"open StorageDriverSilent PersistentVolume pv-1"},
	}})
}
