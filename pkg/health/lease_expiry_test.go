package health

import (
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRenewed: the API server's clock counts, where a program wrote the renewal.
func TestRenewed(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	const none = -1
	for _, c := range []struct {
		name        string
		says, wrote time.Duration // ago
		by          string
		live        bool
		ahead       time.Duration
	}{
		{"in time", 2 * time.Second, 2 * time.Second, "operator", true, 0},
		{"by a slow clock", 5 * time.Minute, 2 * time.Second, "operator", true, 2*time.Second - 5*time.Minute},
		{"by a fast clock", -5 * time.Minute, 2 * time.Second, "operator", true, 5*time.Minute + 2*time.Second},
		{"by a fast clock, long ago", -time.Minute, 4 * time.Minute, "operator", false, 5 * time.Minute},
		{"long ago", 5 * time.Minute, 5 * time.Minute, "operator", false, 0},
		{"long ago, and edited by hand", 5 * time.Minute, 2 * time.Second, "kubectl-edit", false, 0},
		{"by a slow clock, and created in the same second", 5 * time.Minute, 2 * time.Second, "kubectl-create operator", true,
			2*time.Second - 5*time.Minute},
		{"in time, by nobody known", 2 * time.Second, none, "", true, 0},
		{"long ago, by nobody known", 5 * time.Minute, none, "", false, 0},
	} {
		lease := &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{
			HolderIdentity: new("a"), LeaseDurationSeconds: new(int32(15)),
			RenewTime: &metav1.MicroTime{Time: now.Add(-c.says)},
		}}
		if c.wrote != none {
			for manager := range strings.FieldsSeq(c.by) {
				lease.ManagedFields = append(lease.ManagedFields, metav1.ManagedFieldsEntry{
					Manager: manager, Time: &metav1.Time{Time: now.Add(-c.wrote)}, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`),
				})
			}
		}
		if _, ahead := Renewed(lease); LeaseLive(lease, now) != c.live || ahead != c.ahead {
			t.Errorf("renewed %s: live is %t, %s ahead", c.name, LeaseLive(lease, now), ahead)
		}
	}
}
