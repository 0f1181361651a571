package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const (
	provisionerHolds = "external-provisioner.volume.kubernetes.io/finalizer"
	attacherHolds    = "external-attacher/disk-csi-example-com"
)

// together are several objects.
func together(objects ...string) string { return strings.Join(objects, "\n---\n") }

func storageCases() []whyCase {
	released := "phase: Released"
	live := strings.Replace(volume(released), deleted(time.Hour), "finalizers: ["+provisionerHolds+"]", 1)
	fails := warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_1",
		"rpc error: the disk is locked", time.Minute)
	bound := volume("phase: Bound",
		"kubernetes.io/pv-protection", provisionerHolds)
	usedClaim := together(claim(deleted(time.Hour, "kubernetes.io/pvc-protection")),
		object("v1", "Pod", "shop", "web", "", "spec: {nodeName: n1"+usesData+"}\nstatus: {phase: Running}"))
	return []whyCase{{
		name:   "volume in use whose driver is gone as well",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{bound, usedClaim}, causes: []string{"StillInUse Pod/shop/web"},
		notes: []string{"PersistentVolume disk then still has the finalizer", "disk.csi.example.com"},
	}, {
		name:   "volume in use whose driver is scaled to nothing",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{bound, usedClaim, csiDriver(), workload(0, 0, 0, "")},
		causes:  []string{"StillInUse Pod/shop/web"}, notes: []string{"is scaled to 0"},
	}, {
		name:   "volume in use whose driver may not be looked for",
		target: "persistentvolumes/disk", verdict: result.Stuck, deny: "csidrivers",
		objects: []string{bound, usedClaim}, causes: []string{"StillInUse Pod/shop/web"},
	}, {
		name:   "volume that nobody has deleted, and of which the storage can't be deleted",
		target: "persistentvolumes/disk", verdict: result.NotTerminating,
		objects: []string{live, fails},
		says:    []string{"left over from a claim that is gone", "rpc error: the disk is locked"},
		notes:   []string{"rpc error", `"Retain"`},
	}, {
		name: "claim that names a volume of which the storage can't be deleted", target: "persistentvolumeclaims/next",
		verdict: result.NotTerminating, notes: []string{"can't be deleted"},
		objects: []string{live, fails, object("v1", "PersistentVolumeClaim", "shop", "next", "",
			"spec: {volumeName: disk}\nstatus: {phase: Lost}")},
		says: []string{"PersistentVolume disk, which it names, is left over from a claim that is gone"},
	}, {
		name: "volume that nobody has deleted, and whose events may not be read", target: "persistentvolumes/disk",
		verdict: result.NotTerminating, deny: "events",
		objects: []string{live, fails}, says: []string{"could not be read"},
	}, {
		name: "volume whose driver is gone", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{volume("phase: Failed, message: no volume plugin matched", provisionerHolds, attacherHolds)},
		causes:  []string{"ControllerMissing PersistentVolume/disk"}, says: []string{"disk.csi.example.com"},
		remedy: `{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}`,
	}, {
		name: "volume to be kept whose driver is gone", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{strings.Replace(volume(released, provisionerHolds), "Policy: Delete", "Policy: Retain", 1)},
		causes:  []string{"ControllerMissing PersistentVolume/disk"}, says: []string{"must release it"},
	}, {
		name: "volume whose driver is gone and that is attached", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds, attacherHolds), attachment("", "attached: true"), managerAlive(),
		},
		causes: []string{"ControllerMissing PersistentVolume/disk", "StillInUse VolumeAttachment/att"},
		remedy: "delete volumeattachments.storage.k8s.io/att",
	}, {
		name: "volume that its driver, now gone, has yet to detach", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, attacherHolds),
			attachment(deleted(time.Hour, attacherHolds),
				fmt.Sprintf("attached: true, detachError: {message: no answer, time: %q}", at(50*time.Minute))),
		},
		causes: []string{"ControllerMissing VolumeAttachment/att"},
		says:   []string{"detach the volume from Node n1 (that Node does not exist)"},
	}, {
		name: "volume to be detached from a Node that is there", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, attacherHolds), attachment(deleted(time.Hour, attacherHolds), "attached: true"),
			object("v1", "Node", "", "n1", "", ""),
		},
		causes: []string{"ControllerMissing VolumeAttachment/att"}, says: []string{"from Node n1 and "},
	}, {
		name: "volume to be detached from a Node that may not be read", target: "persistentvolumes/disk",
		verdict: result.Stuck, deny: "nodes",
		objects: []string{volume(released, attacherHolds), attachment(deleted(time.Hour, attacherHolds), "attached: true")},
		causes:  []string{"ControllerMissing VolumeAttachment/att"}, says: []string{"from Node n1 and "},
	}, {
		name: "volume that is attached, and the controller manager is dead", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{volume(released, attacherHolds), attachment("", "attached: true"), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "attachments that may not be listed", target: "persistentvolumes/disk", verdict: result.Undetermined,
		deny:    "volumeattachments",
		objects: []string{volume(released, attacherHolds)},
		says:    []string{"VolumeAttachments could not be read (forbidden)"},
	}, {
		name: "volume whose driver may not be looked for", target: "persistentvolumes/disk",
		verdict: result.Undetermined, deny: "daemonsets",
		objects: []string{volume(released, provisionerHolds)},
		says:    []string{"DaemonSets in all namespaces could not be read"},
	}, {
		name: "volume whose driver's registration may not be read", target: "persistentvolumes/disk",
		verdict: result.Undetermined, deny: "csidrivers",
		objects: []string{volume(released, provisionerHolds)}, says: []string{"CSIDrivers could not be read"},
	}, {
		name: "volume whose driver would be in a group that is discovered in part", target: "persistentvolumes/disk",
		verdict: result.Stuck, failed: "storage.k8s.io/v2",
		objects: []string{volume(released, provisionerHolds)}, causes: []string{"ControllerMissing PersistentVolume/disk"},
	}, {
		name: "volume whose driver is scaled to nothing", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{volume(released, provisionerHolds), csiDriver(), workload(0, 0, 0, ""), workload(2, 0, 3, "")},
		causes:  []string{"ControllerDown Deployment/storage/driver"},
		remedy:  "-n storage scale deployments.apps/driver --replicas=1",
	}, {
		name: "volume whose driver can't start", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds),
			workload(0, 1, 0, `, conditions: [{type: ReplicaFailure, status: "True", message: exceeded quota}]`),
		},
		causes: []string{"ControllerDown Deployment/storage/driver"},
		says:   []string{"can't create its pods", "exceeded quota"},
	}, {
		name: "volume whose driver is on the nodes and says nothing", target: "persistentvolumes/disk",
		verdict: result.Undetermined,
		objects: []string{volume(released, provisionerHolds), csiDriver(), workload(2, 0, 3, "")},
		says:    []string{"it is not clear what delays that"},
	}, {
		name: "volume whose driver has just begun", target: "persistentvolumes/disk", verdict: result.Progressing,
		objects: []string{volumeSince(time.Second, released, provisionerHolds), csiDriver(), workload(1, 1, 1, "")},
	}, {
		name: "volume of which its driver complains", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds), csiDriver(), workload(0, 1, 1, ""),
			warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_pod",
				"has 2 snapshots", time.Minute),
			warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_pod", "an older one",
				time.Hour),
			warned("default", "another", "VolumeFailedDelete", "disk.csi.example.com_pod", "not about this one", time.Second),
		},
		causes: []string{"ControllerFailing PersistentVolume/disk"}, says: []string{`"has 2 snapshots"`},
	}, {
		name: "volume of which a driver complains that runs elsewhere", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds),
			warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_pod",
				"has 2 snapshots", time.Minute),
		},
		causes: []string{"ControllerFailing PersistentVolume/disk"},
	}, {
		name: "volume of which its driver complained before it was uninstalled", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds),
			warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_pod",
				"has 2 snapshots", 40*time.Minute),
		},
		causes: []string{"ControllerMissing PersistentVolume/disk"},
	}, {
		name: "volume of a driver whose claim is alive", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume("phase: Bound", "kubernetes.io/pv-protection", provisionerHolds, attacherHolds), claim(""),
			attachment("", "attached: true"),
		},
		causes: []string{"StillInUse PersistentVolumeClaim/shop/data"},
	}, {
		name: "volume with a driver's finalizer and no driver", target: "persistentvolumes/disk", verdict: result.Stuck,
		sure:    finding.Likely,
		objects: []string{object("v1", "PersistentVolume", "", "disk", deleted(time.Hour, provisionerHolds), "")},
		causes:  []string{"ControllerMissing PersistentVolume/disk"},
		says:    []string{"external-provisioner, which is not visible in this cluster, to remove"},
	}, {
		name: "volume that a plugin of Kubernetes can't delete", target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume("phase: Failed, message: the disk is in use", "kubernetes.io/pv-controller"), managerAlive(),
		},
		causes: []string{"ControllerFailing PersistentVolume/disk"}, says: []string{`"the disk is in use"`},
	}, {
		name:   "volume that a plugin of Kubernetes would delete, and the controller manager is dead",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{volume("phase: Failed, message: the disk is in use", "kubernetes.io/pv-controller"), managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name:   "volume that a plugin of Kubernetes can't delete, where the controller manager is hidden",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{volume("phase: Failed, message: the disk is in use", "kubernetes.io/pv-controller")},
		causes:  []string{"ControllerFailing PersistentVolume/disk"},
	}, {
		name: "volume that a plugin of Kubernetes is about to delete", target: "persistentvolumes/disk",
		verdict: result.Progressing,
		objects: []string{volumeSince(time.Second, released, "kubernetes.io/pv-controller"), managerAlive()},
	}, {
		name:   "attachment of a volume of which the driver's own name is known",
		target: "volumeattachments.storage.k8s.io/att", verdict: result.Stuck,
		objects: []string{
			attachment(deleted(time.Hour, attacherHolds), "attached: true"),
			strings.Replace(volume("phase: Released", attacherHolds), "driver: disk.csi.example.com",
				"driver: disk.csi.example.com, volumeHandle: vol-0a1b", 1),
		},
		causes: []string{"ControllerMissing VolumeAttachment/att"},
	}, {
		name: "attachment that its driver can't detach", target: "volumeattachments.storage.k8s.io/att",
		verdict: result.Stuck,
		objects: []string{
			attachment(deleted(time.Hour, attacherHolds),
				fmt.Sprintf("attached: true, detachError: {message: no answer, time: %q}", at(50*time.Minute))),
			csiDriver(),
		},
		causes: []string{"ControllerFailing VolumeAttachment/att"}, says: []string{`"no answer"`},
	}, {
		name:   "attachment and volume whose driver's Deployment names no driver and is scaled to 0, beside another driver's",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds, attacherHolds),
			attachment(deleted(time.Hour, attacherHolds), "attached: true"), sidecars("csi-controller", 0),
			leads("external-attacher-leader-disk-csi-example-com", "csi-controller", time.Hour),
			leads("disk-csi-example-com", "csi-controller", time.Hour), otherSidecars(),
		},
		causes: []string{"ControllerDown Deployment/storage/csi-controller"}, says: []string{"is scaled to 0"},
		remedy: "-n storage scale deployments.apps/csi-controller --replicas=1",
	}, {
		name:   "attachment and volume whose driver was uninstalled, beside another driver's sidecars",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds, attacherHolds),
			attachment(deleted(time.Hour, attacherHolds), "attached: true"), otherSidecars(),
		},
		causes: []string{"ControllerMissing PersistentVolume/disk × 2"}, says: []string{"disk.csi.example.com"},
	}, {
		name: "attachment whose driver may only read attachments", target: "volumeattachments.storage.k8s.io/att",
		verdict: result.Stuck,
		objects: []string{
			attachment(deleted(time.Hour, attacherHolds), "attached: true"), sidecars("csi-controller", 1),
			driverPod("csi-controller", "True"),
			letsWriteVolumes("csi-controller", "get, list, watch"),
			leads("external-attacher-leader-disk-csi-example-com", "csi-controller", time.Second), otherSidecars(),
		},
		causes: []string{"ControllerForbidden VolumeAttachment/att"}, says: []string{"Deployment storage/csi-controller"},
	}, {
		name:   "volume of which its driver says that it is attached, which it can't detach",
		target: "persistentvolumes/disk", verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds, attacherHolds),
			attachment(deleted(time.Hour, attacherHolds),
				fmt.Sprintf("attached: true, detachError: {message: the storage is busy, time: %q}", at(time.Minute))),
			sidecars("csi-controller", 1), driverPod("csi-controller", "True"),
			letsWriteVolumes("csi-controller", "get, list, watch, patch"),
			leads("external-attacher-leader-disk-csi-example-com", "csi-controller", time.Second),
			leads("disk-csi-example-com", "csi-controller", time.Second), otherSidecars(),
			warned("default", "persistentvolume-disk", "VolumeFailedDelete", "disk.csi.example.com_pod",
				"persistentvolume disk is still attached to node n1", time.Minute),
		},
		causes: []string{"ControllerFailing VolumeAttachment/att"}, says: []string{"the storage is busy"},
	}, {
		name: "volume whose driver's pod isn't ready, and leads", target: "persistentvolumes/disk",
		verdict: result.Undetermined,
		objects: []string{
			volume(released, provisionerHolds), sidecars("csi-controller", 1), driverPod("csi-controller", "False"),
			letsWriteVolumes("csi-controller", "patch"),
			leads("disk-csi-example-com", "csi-controller", time.Second),
		},
		says: []string{"it is not clear what delays that"},
	}, {
		name: "volume whose driver's pod isn't ready, and whose Lease nobody renews", target: "persistentvolumes/disk",
		verdict: result.Stuck,
		objects: []string{
			volume(released, provisionerHolds), sidecars("csi-controller", 1), driverPod("csi-controller", "False"),
			letsWriteVolumes("csi-controller", "patch"),
			leads("disk-csi-example-com", "csi-controller", time.Hour),
		},
		causes: []string{"ControllerDown Deployment/storage/csi-controller"},
	}}
}
