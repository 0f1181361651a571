package health

import (
	"fmt"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestManagerLease: a Lease that has yet to run out is no life of a pod that has gone, and that of a host or of a
// leader that renews it in time is.
func TestManagerLease(t *testing.T) {
	const holder = "kube-controller-manager-5d9c7b6f-x2x4z"
	named := func(kind, namespace string) string {
		return fmt.Sprintf("\napiVersion: v1\nkind: %s\nmetadata: {namespace: %q, name: %s, uid: u}\n---", kind, namespace,
			holder)
	}
	for name, c := range map[string]struct {
		holder, others, deny string
		age                  time.Duration
		alive                bool
	}{
		"renewed in time":             {holder: holder, age: 2 * time.Second, alive: true},
		"late, by a pod that is gone": {holder: holder, age: 8 * time.Second},
		"late, by a pod that is there": {holder: holder, age: 8 * time.Second, others: named("Pod", "control"),
			alive: true},
		"late, by a pod on the node's network": {holder: holder, age: 8 * time.Second, others: named("Node", ""),
			alive: true},
		"late, by a host":                         {holder: "master-1", age: 8 * time.Second, alive: true},
		"late, by a pod that can't be read":       {holder: holder, age: 8 * time.Second, deny: "pods", alive: true},
		"long overdue, whoever it was renewed by": {holder: "master-1", age: time.Minute},
	} {
		now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
		lease := fmt.Sprintf("\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: kube-system, "+
			"name: %s}\n"+
			"spec: {holderIdentity: %s_1, leaseDurationSeconds: 15, renewTime: %q}\n---", session.ControllerManager, c.holder,
			now.Add(-c.age).Format("2006-01-02T15:04:05.000000Z07:00"))
		memory, err := clustertest.New(now, lease+c.others)
		if err != nil {
			t.Fatal(err)
		}
		if c.deny != "" {
			memory.Deny(c.deny)
		}
		checker := NewChecker(session.New(memory, session.Kubectl{}))
		if _, alive := checker.ControlPlane.ControllerManagerAlive(t.Context(), nil); alive != c.alive {
			t.Errorf("%s: alive is %t", name, alive)
		}
	}
}

func TestHeldByPod(t *testing.T) {
	for _, c := range []struct {
		holder, pod string
		held        bool
	}{
		{"shop-operator-7d9c8b6f5-x2x4z", "shop-operator-7d9c8b6f5-x2x4z", true},
		{"shop-operator-7d9c8b6f5-x2x4z_0f3c", "shop-operator-7d9c8b6f5-x2x4z", true},
		{"cert-manager-7d9c8b6f5-x2x4z-external-cert-manager-controller", "cert-manager-7d9c8b6f5-x2x4z", true},
		{"cert-manager-7d9c8b6f5-x2x4z-external-cert-manager-controller", "cert-manager-7d9c8b6f5-b5b7q", false},
		{"csi-external-attacher-7d9c8b6f5-x2x4z", "csi-external-attacher-7d9c8b6f5-x2x4z", true},
		{"csi-external-attacher-7d9c8b6f5-x2x4z", "csi", false},
		{"master-1-external-cloud", "master-1", false},
	} {
		if held := HeldByPod(c.holder, c.pod); held != c.held {
			t.Errorf("%s by %s: %t, want %t", c.holder, c.pod, held, c.held)
		}
	}
}
