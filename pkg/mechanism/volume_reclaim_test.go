package mechanism

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func csiDriver() string {
	return manifest("storage.k8s.io/v1", "CSIDriver", "", "csi.example.com", "", "")
}

func TestVolumeReclaim(t *testing.T) {
	const (
		csi  = "csi: {driver: csi.example.com, volumeHandle: v}, persistentVolumeReclaimPolicy: Delete"
		host = "hostPath: {path: /x}, persistentVolumeReclaimPolicy: Delete"
	)
	released := deletedVolume(provisionerFinalizer, csi, "Released")
	failed := manifest("v1", "PersistentVolume", "", "pv-1", deleted(time.Hour, inTreeFinalizer),
		"spec: {"+host+"}\nstatus: {phase: Failed, message: no such disk}")
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", "", "")
	const missing = "cause ControllerMissing StorageDriverMissing PersistentVolume pv-1" +
		" key StorageDriverMissing,csi.example.com"
	runCases(t, []mechanismCase{
		{
			name:    "a claim that nobody has deleted",
			objects: deletedVolume(provisionerFinalizer, csi+", "+boundTo, "Bound") + claim,
			told: []string{
				"wait PersistentVolumeClaim shop/data",
				"  cause StillInUse ClaimOfVolume PersistentVolumeClaim shop/data",
				"later DriverComesLater PersistentVolume pv-1 key DriverComesLater,csi.example.com",
			},
		},
		{name: "no driver", objects: released, told: []string{missing}},
		{name: "a driver", objects: released + csiDriver(), told: []string{"open StorageDriverSilent PersistentVolume pv-1"}},
		{name: "drivers that may not be read", objects: released, deny: "csidrivers"},
		{name: "events that may not be read, where nothing else shows the driver", objects: released, deny: "events"},
		{
			name: "a plugin inside Kubernetes that fails", objects: failed + managerRuns(),
			told: []string{"cause ControllerFailing ReclaimFails PersistentVolume pv-1"},
		},
		{
			name:    "a plugin inside Kubernetes that doesn't run",
			objects: deletedVolume(inTreeFinalizer, host, "Released") + managerDown(), told: managerIsDown(),
		},
	})
}

func TestWithoutDriver(t *testing.T) {
	const csi = "csi: {driver: csi.example.com, volumeHandle: v}, persistentVolumeReclaimPolicy: "
	for policy, want := range map[string][]string{
		"Delete": {"BringDriverBack", "RetainFirst", "ForgetVolume"}, "Retain": {"BringDriverBack", "ForgetVolume"},
	} {
		var steps []string
		for _, remedy := range ask(t, deletedVolume(provisionerFinalizer, csi+policy, "Released")).Causes[0].Remedies {
			steps = append(steps, remedy.Step)
		}
		if diff := cmp.Diff(want, steps); diff != "" {
			t.Errorf("steps with policy %s (-want +got):\n%s", policy, diff)
		}
	}
}
