package health

import (
	"context"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
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

// clockSlack is how far apart two clocks can seem that are not: the API server notes a write in whole seconds, and
// later than it was sent.
const clockSlack = 5 * time.Second

func (c *Checker) heartbeat(ctx context.Context, node string) (beat heartbeat) {
	lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := c.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		missing := finding.Observed(lease.Ref.String(), "not found, so no kubelet renews it")
		return heartbeat{missing: true, evidence: []finding.Evidence{missing}}
	case err != nil:
		return heartbeat{unread: err}
	case read.Spec.RenewTime == nil:
		return heartbeat{}
	}
	beat.at = read.Spec.RenewTime.Time
	off := ""
	if written := specWritten(read); !written.IsZero() && beat.at.Sub(written).Abs() > clockSlack {
		beat.at, beat.ahead = written, beat.at.Sub(written)
		off = "; its clock is " + finding.Length(beat.ahead.Abs()) + " behind"
		if beat.ahead > 0 {
			off = "; its clock is " + finding.Length(beat.ahead) + " ahead"
		}
	}
	beat.live = LeaseLive(read, c.Session.Now().Add(beat.ahead))
	lease.Ref.UID = string(read.UID)
	renewed := lease.Ref.Observed("the kubelet last renewed it %s ago%s", c.Session.Ago(beat.at), off)
	beat.evidence = []finding.Evidence{renewed.When(beat.at)}
	return beat
}

// specWritten is when a Lease's spec was last written, as the API server noted it by its own clock. A renewal bears the
// time of the kubelet's, which may be wrong: the node controller doesn't use that either, but when it sees a
// renewal (k8s v1.37 pkg/controller/nodelifecycle/node_lifecycle_controller.go:tryUpdateNodeHealth).
func specWritten(lease *coordinationv1.Lease) (at time.Time) {
	for _, entry := range lease.ManagedFields {
		writes := entry.FieldsV1 != nil && strings.Contains(entry.FieldsV1.GetRawString(), `"f:spec"`)
		if writes && entry.Time != nil && entry.Time.After(at) {
			at = entry.Time.Time
		}
	}
	return at
}
