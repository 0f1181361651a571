package mechanism

import (
	"testing"
	"time"
)

// attachmentOf attaches pv-1 to a node.
func attachmentOf(name, meta, status string) string {
	const spec = "spec: {attacher: csi.example.com, nodeName: n1, source: {persistentVolumeName: pv-1}}\n"
	return manifest("storage.k8s.io/v1", "VolumeAttachment", "", name, meta, spec+"status: {"+status+"}")
}

func TestVolumeDetachment(t *testing.T) {
	held := deleted(time.Hour, "external-attacher/csi-example-com")
	going := attachmentOf("a", held, "attached: true")
	const key = " key StorageDriverMissing,csi.example.com"
	runCases(t, []mechanismCase{
		{
			name: "no driver", objects: going,
			told: []string{"cause ControllerMissing StorageDriverMissing VolumeAttachment a" + key},
		},
		{
			name: "a driver that says nothing", objects: going + csiDriver(),
			told: []string{"open StorageDriverSilent VolumeAttachment a"},
		},
		{
			name:    "a driver that reports an error",
			objects: attachmentOf("a", held, "attached: true, detachError: {message: busy}") + csiDriver(),
			told:    []string{"cause ControllerFailing StorageDriverFails VolumeAttachment a"},
		},
		{name: "drivers that may not be read", objects: going, deny: "csidrivers"},
	})
}

func TestAttachedVolume(t *testing.T) {
	const csi = "csi: {driver: csi.example.com, volumeHandle: v}"
	volume := deletedVolume("external-attacher/csi-example-com", csi, "Released")
	runCases(t, []mechanismCase{
		{
			name:    "an attachment that nobody has deleted",
			objects: volume + attachmentOf("a", "", "attached: true") + managerRuns(),
			told:    []string{"wait VolumeAttachment a", "  cause StillInUse VolumeAttached VolumeAttachment a"},
		},
		{
			name: "an attachment that is going", objects: volume + attachmentOf("a", deleted(time.Minute, "x/y"), ""),
			told: []string{"wait VolumeAttachment a"},
		},
		{name: "attachments that may not be read", objects: volume, deny: "volumeattachments"},
	})
}
