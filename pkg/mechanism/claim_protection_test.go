package mechanism

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestClaimProtection(t *testing.T) {
	held := deleted(time.Hour, "kubernetes.io/pvc-protection")
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", held, "")
	pod := func(name, node, phase, volume string) string {
		spec := fmt.Sprintf("spec: {nodeName: %q, volumes: [{name: v, %s}]}\nstatus: {phase: %s}", node, volume, phase)
		return manifest("v1", "Pod", "shop", name, "", spec)
	}
	const data, other = "persistentVolumeClaim: {claimName: data}", "persistentVolumeClaim: {claimName: other}"
	inUse := []string{
		"wait Pod shop/web",
		"  cause StillInUse RunningPodUsesClaim Pod shop/web key RunningPodUsesClaim,shop,Running",
	}
	owned := held + ", ownerReferences: [{kind: Pod, name: web, uid: pod-web}]"
	runCases(t, []mechanismCase{
		{name: "a running pod", objects: claim + pod("web", "n1", "Running", data), told: inUse},
		{
			name: "a finished pod", objects: claim + pod("job", "n1", "Succeeded", data),
			told: []string{
				"wait Pod shop/job",
				"  cause StillInUse FinishedPodUsesClaim Pod shop/job key FinishedPodUsesClaim,shop",
			},
		},
		{
			name:    "a pod without a node, and one with another claim",
			objects: claim + managerDown() + pod("web", "", "Pending", data) + pod("db", "n1", "Running", other),
			told:    managerIsDown(),
		},
		{
			name: "the volume of a pod that the claim was made for",
			objects: manifest("v1", "PersistentVolumeClaim", "shop", "web-v", owned, "") +
				pod("web", "n1", "Running", "ephemeral: {}"),
			told: inUse,
		},
		{name: "pods that may not be read", objects: claim, deny: "pods"},
	})
}

// TestVolumeGone has the evidence say that the volume of a claim doesn't exist: of a pod that waits to start, and of
// one that doesn't stop.
func TestVolumeGone(t *testing.T) {
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "kubernetes.io/pvc-protection"),
		"spec: {volumeName: disk}")
	volume := manifest("v1", "PersistentVolume", "", "disk", "", "")
	uses := "spec: {nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]}\n"
	pending := manifest("v1", "Pod", "shop", "web", "", uses+"status: {phase: Pending}")
	gone := deleted(10*time.Minute) + ", deletionGracePeriodSeconds: 30"
	late := manifest("v1", "Pod", "shop", "web", gone, uses+"status: {phase: Failed}") +
		nodeOf("True", "", "") + kubeletRuns()
	for objects, want := range map[string]bool{
		claim + pending: true, claim + pending + volume: false, late + claim: true, late + claim + volume: false,
	} {
		answer := ask(t, objects)
		found := false
		for cause := range answer.AllCauses() {
			for _, evidence := range cause.Evidence {
				found = found || strings.Contains(evidence.Observed, "disk, a PersistentVolume that does not exist")
			}
		}
		if found != want {
			t.Errorf("the evidence says that the volume is gone: %t, want %t: %+v", found, want, answer)
		}
	}
}
