package health

import (
	"context"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// Lease reads a Lease.
func (p *ControlPlane) Lease(ctx context.Context, lease *session.Object) (*coordinationv1.Lease, error) {
	whole, err := p.session.Reader.Get(ctx, lease.Resource, lease.Ref.Namespace, lease.Ref.Name)
	if err != nil {
		return nil, err
	}
	return session.As[coordinationv1.Lease](whole)
}

// LeaseLive reports whether the Lease has a holder that has renewed it in time.
func LeaseLive(lease *coordinationv1.Lease, now time.Time) bool {
	renewed, _ := Renewed(lease)
	if Holder(lease) == "" || renewed.IsZero() || lease.Spec.LeaseDurationSeconds == nil {
		return false
	}
	return now.Sub(renewed) <= lastsFor(lease)
}

// Renewed is when a Lease was last renewed, and how far its holder's clock is ahead of the API server's; zero if it has
// no time. A renewal bears the time of its holder's clock, which may be wrong. Those who wait for the Lease don't use
// it either, but when they saw the Lease change (k8s v1.37
// client-go/tools/leaderelection/leaderelection.go:isLeaseValid). managedFields have the API server's time of the
// write. What a person has written there is no renewal.
func Renewed(lease *coordinationv1.Lease) (at time.Time, ahead time.Duration) {
	if lease.Spec.RenewTime == nil {
		return at, 0
	}
	at = lease.Spec.RenewTime.Time
	written, by := specWritten(lease)
	if written.IsZero() || writers.WritesManifests(by) || at.Sub(written).Abs() <= clockSlack {
		return at, 0
	}
	return written, at.Sub(written)
}

// ClockOff says in a clause how wrong the clock of a Lease's holder is; nothing for one that is right.
func ClockOff(ahead time.Duration) string {
	switch {
	case ahead > 0:
		return "; its clock is " + finding.Length(ahead) + " ahead"
	case ahead < 0:
		return "; its clock is " + finding.Length(-ahead) + " behind"
	}
	return ""
}

// clockSlack is how far apart two clocks can seem that are not: the API server notes a write in whole seconds, and
// later than it was sent.
const clockSlack = 5 * time.Second

// specWritten is when a Lease's spec was last written, as the API server noted it by its own clock, and by whom: of two
// in the same second, by the program and not by the person. The node controller doesn't use the time of a kubelet's
// clock either, but when it sees a renewal (k8s v1.37
// pkg/controller/nodelifecycle/node_lifecycle_controller.go:tryUpdateNodeHealth).
func specWritten(lease *coordinationv1.Lease) (at time.Time, by string) {
	for _, entry := range lease.ManagedFields {
		writes := entry.FieldsV1 != nil && strings.Contains(entry.FieldsV1.GetRawString(), `"f:spec"`)
		later := writes && entry.Time != nil && entry.Time.After(at)
		if later || writes && entry.Time != nil && entry.Time.Time.Equal(at) && writers.WritesManifests(by) {
			at, by = entry.Time.Time, entry.Manager
		}
	}
	return at, by
}

func lastsFor(lease *coordinationv1.Lease) time.Duration {
	return time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second
}

// expiryOf is when another holder could have taken a Lease.
func expiryOf(lease *coordinationv1.Lease) time.Time {
	renewed, _ := Renewed(lease)
	if renewed.IsZero() {
		return lease.CreationTimestamp.Time
	}
	return renewed.Add(lastsFor(lease))
}

// lastRenewal is the evidence of when a Lease was renewed. due says how often it should be.
func lastRenewal(
	reads *session.Session, lease *session.Object, read *coordinationv1.Lease, due string,
) finding.Evidence {
	lease.Ref.UID = string(read.UID)
	if renewed, ahead := Renewed(read); !renewed.IsZero() {
		return lease.Ref.Observed("last renewed %s ago%s%s", reads.Ago(renewed), due, ClockOff(ahead)).When(renewed)
	}
	return lease.Ref.Observed("given up by its last holder")
}

func notHeld(lease *session.Object, renewal finding.Evidence, down finding.Finding) session.Answer {
	down.Reason, down.Object, down.Certainty = finding.ControlPlaneDown, lease.Ref, finding.Proven
	down.Evidence = []finding.Evidence{renewal}
	return session.AwaitAnswer(lease, down)
}
