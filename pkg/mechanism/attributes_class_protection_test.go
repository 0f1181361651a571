package mechanism

import (
	"testing"
	"time"
)

func TestAttributesClassProtection(t *testing.T) {
	held := deleted(time.Hour, "kubernetes.io/vac-protection")
	class := manifest("storage.k8s.io/v1", "VolumeAttributesClass", "", "gold", held, "")
	claimWith := func(spec, status string) string {
		spec = "spec: {" + spec + "}\nstatus: {" + status + "}"
		return manifest("v1", "PersistentVolumeClaim", "shop", "data", "", spec)
	}
	claim := claimWith("volumeAttributesClassName: gold", "phase: Bound")
	target := claimWith("", "modifyVolumeStatus: {targetVolumeAttributesClassName: gold}")
	volume := func(spec string) string {
		return manifest("v1", "PersistentVolume", "", "pv-1", "", "spec: {volumeAttributesClassName: gold"+spec+"}")
	}
	const (
		key         = " key RefersToClass,PersistentVolumeClaim,"
		ofClaim     = "  cause StillInUse RefersToClass PersistentVolumeClaim shop/data" + key
		waitOfClaim = "wait PersistentVolumeClaim shop/data"
		bySpec      = ofClaim + "spec.volumeAttributesClassName,ChangeClass"
	)
	runCases(t, []mechanismCase{
		{name: "a claim, and its volume", objects: class + claim + volume(", "+boundTo), told: []string{waitOfClaim, bySpec}},
		{
			name: "a claim that is being changed, and not bound", objects: class + target,
			told: []string{waitOfClaim, ofClaim + "status.modifyVolumeStatus.targetVolumeAttributesClassName,KeepUnboundClaim"},
		},
		{
			name: "a volume without a claim", objects: class + volume(""),
			told: []string{
				"wait PersistentVolume pv-1",
				"  cause StillInUse RefersToClass PersistentVolume pv-1" +
					" key RefersToClass,PersistentVolume,spec.volumeAttributesClassName,SeeClaimOfVolume",
			},
		},
		{name: "nobody", objects: class + managerDown(), told: managerIsDown()},
		{name: "claims that may not be read", objects: class + claim, deny: "persistentvolumeclaims"},
	})
	answer := ask(t, class+claim, "persistentvolumes")
	if len(answer.Waits) != 1 || len(answer.Open) != 1 {
		t.Errorf("without the volumes: told %q, want the claim, and that they could not be read", told(answer))
	}
}
