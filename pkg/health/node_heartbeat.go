package health

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// heartbeat is what a kubelet's Lease tells.
type heartbeat struct {
	at       time.Time     // when it was last renewed, by the API server's clock if that is known; zero if it never was
	live     bool          // it has not run out
	ahead    time.Duration // how far the kubelet's clock is ahead of the API server's, as far as that is known
	missing  bool          // there is none
	unread   error         // why it could not be read
	evidence []finding.Evidence
}

func (c *Checker) heartbeat(ctx context.Context, node string) (beat heartbeat) {
	lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := c.ControlPlane.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		missing := finding.Observed(lease.Ref.String(), "not found, so no kubelet renews it")
		return heartbeat{missing: true, evidence: []finding.Evidence{missing}}
	case err != nil:
		return heartbeat{unread: err}
	case read.Spec.RenewTime == nil:
		return heartbeat{}
	}
	beat.at, beat.ahead = Renewed(read)
	beat.live = LeaseLive(read, c.Session.Now())
	lease.Ref.UID = string(read.UID)
	renewed := lease.Ref.Observed("the kubelet last renewed it %s ago%s", c.Session.Ago(beat.at), ClockOff(beat.ahead))
	beat.evidence = []finding.Evidence{renewed.When(beat.at)}
	return beat
}
