package health

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Lease reads a Lease.
func (c *Checker) Lease(ctx context.Context, lease *session.Object) (*coordinationv1.Lease, error) {
	whole, err := c.Session.Reader.Get(ctx, lease.Resource, lease.Ref.Namespace, lease.Ref.Name)
	if err != nil {
		return nil, err
	}
	return session.As[coordinationv1.Lease](whole)
}

// LeaseLive reports whether the Lease has a holder that has renewed it in time.
func LeaseLive(lease *coordinationv1.Lease, now time.Time) bool {
	held, renewed, lasts := lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.LeaseDurationSeconds
	if held == nil || *held == "" || renewed == nil || lasts == nil {
		return false
	}
	return now.Sub(renewed.Time) <= time.Duration(*lasts)*time.Second
}

// expiryOf is when another holder could have taken a Lease.
func expiryOf(lease *coordinationv1.Lease) time.Time {
	if lease.Spec.RenewTime == nil {
		return lease.CreationTimestamp.Time
	}
	return lease.Spec.RenewTime.Add(time.Duration(ptr.Deref(lease.Spec.LeaseDurationSeconds, 0)) * time.Second)
}

// lastRenewal is the evidence of when a Lease was renewed. due says how often it should be.
func lastRenewal(
	reads *session.Session, lease *session.Object, read *coordinationv1.Lease, due string,
) finding.Evidence {
	lease.Ref.UID = string(read.UID)
	if renewed := read.Spec.RenewTime; renewed != nil {
		return lease.Ref.Observed("last renewed %s ago%s", reads.Ago(renewed.Time), due).When(renewed.Time)
	}
	return lease.Ref.Observed("given up by its last holder")
}

func notHeld(lease *session.Object, renewal finding.Evidence, down finding.Finding) session.Answer {
	down.Reason, down.Object, down.Certainty = finding.ControlPlaneDown, lease.Ref, finding.Proven
	down.Evidence = []finding.Evidence{renewal}
	return session.AwaitAnswer(lease, down)
}
