package mechanism

import (
	"testing"
	"time"
)

func TestKnownFinalizer(t *testing.T) {
	object := manifest("v1", "PersistentVolumeClaim", "shop", "data", deleted(time.Hour, "snapshot.storage.kubernetes.io/pvc-as-source-protection"), "")
	runCases(t, []mechanismCase{
		{name: "somebody whom nobody sees", objects: object + managerRuns(), told: []string{"x"}},
	})
}

func TestUnidentifiedFinalizer(t *testing.T) {
	runCases(t, []mechanismCase{
		{name: "x", objects: configMap("held", deleted(time.Hour, "example.com/hold")) + managerRuns(), told: []string{"x"}},
		{name: "y", objects: configMap("held", deleted(time.Hour, "example.com/hold")) + managerRuns(), deny: "validatingwebhookconfigurations", told: []string{"x"}},
		{name: "z", objects: manifest("v1", "Namespace", "", "shop", "deletionTimestamp: "+ago(time.Hour), "spec: {finalizers: [example.com/hold]}"), told: []string{"x"}},
	})
}
