package mechanism

import (
	"strings"
	"testing"
	"time"
)

// TestNothingStored asks about a namespace while kube-controller-manager has lost its Lease: by itself, or because not
// even kube-apiserver can write.
func TestNothingStored(t *testing.T) {
	server := func(age time.Duration) string {
		const identity = `apiserver.kubernetes.io/identity: kube-apiserver`
		return strings.Replace(leaseOf("kube-system", "apiserver-a", age), "metadata: {",
			"metadata: {labels: {"+identity+"}, ", 1)
	}
	const lease = "Lease kube-system/kube-controller-manager"
	other := strings.ReplaceAll(server(0), "apiserver-a", "apiserver-b")
	nothing := []string{"wait " + lease, "  cause ControlPlaneDown NothingStored " + lease}
	for name, c := range map[string]struct {
		objects string
		told    []string
	}{
		"kube-apiserver stopped writing with it": {server(time.Hour), nothing},
		"kube-apiserver still writes":            {server(5 * time.Second), managerIsDown()},
		"one of two still writes":                {server(time.Hour) + other, managerIsDown()},
		"a Lease is left over from another time": {server(30 * time.Hour), managerIsDown()},
		"kube-apiserver has no Lease":            {"", managerIsDown()},
	} {
		t.Run(name, func(t *testing.T) {
			checkTold(t, c.told, ask(t, goingNamespace(time.Hour, "")+managerDown()+c.objects))
		})
	}
}
