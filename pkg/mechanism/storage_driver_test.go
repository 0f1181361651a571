package mechanism

import (
	"strings"
	"testing"
	"time"
)

func TestStorageDriver(t *testing.T) {
	const csi = "csi: {driver: csi.example.com, volumeHandle: v}, persistentVolumeReclaimPolicy: Delete"
	volume := deletedVolume(provisionerFinalizer, csi, "Released")
	workload := func(kind, replicas, status string) string {
		spec := "spec: {" + replicas + "template: {spec: {containers: [{name: c, args: [--driver=csi.example.com]}]}}}\n"
		return manifest("apps/v1", kind, "csi", "driver", "", spec+"status: {"+status+"}")
	}
	down := func(kind string) []string {
		return []string{"wait " + kind + " csi/driver", "  cause ControllerDown StorageDriverDown " + kind + " csi/driver"}
	}
	silent := []string{"open StorageDriverSilent PersistentVolume pv-1"}
	runCases(t, []mechanismCase{
		{name: "scaled to zero", objects: volume + workload("Deployment", "replicas: 0, ", ""), told: down("Deployment")},
		{name: "not ready", objects: volume + workload("StatefulSet", "", "replicas: 1"), told: down("StatefulSet")},
		{name: "ready", objects: volume + workload("Deployment", "", "readyReplicas: 1"), told: silent},
		{name: "only on the nodes", objects: volume + workload("DaemonSet", "", "numberReady: 0"), told: silent},
		{name: "workloads that may not be read", objects: volume + csiDriver(), deny: "daemonsets"},
	})
	tools := toolsFor(t, volume+workload("Deployment", "replicas: 0, ", ""))
	repair := tools.driverDown(t.Context(), "csi.example.com", workloadState{object: firstOf(t, tools, workload("Deployment", "", ""))})
	if step := repair.Waits[0].Otherwise.Causes[0].Remedies[0].Command.String(); !strings.Contains(step, "scale deployments.apps/driver --replicas=1") {
		t.Errorf("the step is %s", step)
	}
}

func TestAbsentDriver(t *testing.T) {
	live := manifest("v1", "PersistentVolume", "", "pv-1", "finalizers: ["+provisionerFinalizer+"]", "")
	for name, c := range map[string]struct {
		objects, deny string
		absent        bool
		unread        int
	}{
		"nothing of it": {objects: live, absent: true}, "registered": {objects: live + csiDriver()},
		"unread": {objects: live, deny: "csidrivers", unread: 1},
	} {
		tools := toolsFor(t, c.objects, c.deny)
		found := tools.AbsentDriver(t.Context(), firstOf(t, tools, live), provisionerFinalizer, "csi.example.com")
		if (found.Cause != nil) != c.absent || len(found.Unread) != c.unread {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestStorageDriverAtWork(t *testing.T) {
	meta := "deletionTimestamp: " + ago(5*time.Second) + ", finalizers: [" + provisionerFinalizer + "]"
	const spec = "spec: {csi: {driver: csi.example.com, volumeHandle: v}}\nstatus: {phase: Released}"
	volume := manifest("v1", "PersistentVolume", "", "pv-1", meta, spec)
	runCases(t, []mechanismCase{{
		name: "a moment after the deletion", objects: volume + csiDriver(),
		told: []string{"progress StorageDriverSilent PersistentVolume pv-1"},
	}})
}
