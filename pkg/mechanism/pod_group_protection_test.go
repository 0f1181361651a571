package mechanism

import (
	"testing"
	"time"
)

func TestPodGroupProtection(t *testing.T) {
	held := deleted(time.Hour, "scheduling.k8s.io/podgroup-protection")
	group := manifest("scheduling.k8s.io/v1beta1", "PodGroup", "shop", "g", held, "")
	pod := func(name, group, phase string) string {
		spec := "spec: {schedulingGroup: {podGroupName: " + group + "}}\nstatus: {phase: " + phase + "}"
		return manifest("v1", "Pod", "shop", name, "", spec)
	}
	runCases(t, []mechanismCase{
		{
			name:    "a pod that runs, one that has ended, and one of another group",
			objects: group + pod("a", "g", "Running") + pod("b", "g", "Succeeded") + pod("c", "other", "Running"),
			told: []string{
				"wait Pod shop/a",
				"  cause StillInUse RunningPod Pod shop/a key RunningPod,shop,BelongsToPodGroup,Running",
			},
		},
		{name: "no pods", objects: group + managerDown(), told: managerIsDown()},
		{name: "pods that may not be read", objects: group, deny: "pods"},
	})
}
