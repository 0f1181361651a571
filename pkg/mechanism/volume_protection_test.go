package mechanism

import (
	"testing"
	"time"
)

// deletedVolume is a PersistentVolume that was deleted an hour ago.
func deletedVolume(finalizers, spec, phase string) string {
	spec = "spec: {" + spec + "}\nstatus: {phase: " + phase + "}"
	return manifest("v1", "PersistentVolume", "", "pv-1", deleted(time.Hour, finalizers), spec)
}

const boundTo = "claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}"

func TestVolumeProtection(t *testing.T) {
	const protection = "kubernetes.io/pv-protection"
	bound := deletedVolume(protection, boundTo, "Bound")
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", "", "")
	runCases(t, []mechanismCase{
		{
			name: "a claim that nobody has deleted", objects: bound + claim,
			told: []string{
				"wait PersistentVolumeClaim shop/data",
				"  cause StillInUse ClaimOfVolume PersistentVolumeClaim shop/data",
			},
		},
		{name: "a claim that is gone", objects: bound + managerDown(), told: managerIsDown()},
		{name: "no claim", objects: deletedVolume(protection, "", "Released") + managerDown(), told: managerIsDown()},
		{name: "a claim that may not be read", objects: bound + claim, deny: "persistentvolumeclaims"},
	})
}
