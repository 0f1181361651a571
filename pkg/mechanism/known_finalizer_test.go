package mechanism

import (
	"testing"
	"time"
)

func TestKnownFinalizer(t *testing.T) {
	const finalizer = "snapshot.storage.kubernetes.io/pvc-as-source-protection"
	claim := manifest("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, finalizer), "")
	const opened = "open KnownFinalizer PersistentVolumeClaim shop/data key KnownFinalizer," + finalizer +
		",snapshot-controller,no snapshot of the claim is being taken"
	runCases(t, []mechanismCase{
		{
			name: "its controller is not to be seen", objects: claim + managerRuns(),
			told: []string{"cause ControllerMissing KnownControllerMissing PersistentVolumeClaim shop/data " +
				"key missing controller," + finalizer + ",persistentvolumeclaims"},
		},
		{
			name: "what may refuse its removal may not be read", objects: claim + managerRuns(),
			deny: "validatingwebhookconfigurations", told: []string{opened},
		},
		{name: "its workloads may not be read", objects: claim + managerRuns(), deny: "deployments", told: []string{opened}},
	})
}
