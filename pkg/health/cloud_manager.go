package health

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// CloudManagerLease looks at the cloud-controller-manager's Lease: held says that somebody is leading.
// There is an answer when nobody is, although somebody was, and when the Lease can't be read.
func (c *Checker) CloudManagerLease(ctx context.Context) (evidence finding.Evidence, answer session.Answer, held bool) {
	lease := session.Named(cluster.Leases(), "kube-system", session.CloudManager)
	evidence = lease.Ref.NotFound()
	read, err := c.Lease(ctx, lease)
	if apierrors.IsNotFound(err) {
		return evidence, session.Answer{}, false
	}
	if err != nil {
		return evidence, session.Unread(finding.UnreadObject(lease.Ref), err), false
	}
	lease.Ref.UID = string(read.UID)
	evidence = lease.Ref.Observed("given up by its last holder")
	if renewed := read.Spec.RenewTime; renewed != nil {
		evidence.Observed, evidence.At = fmt.Sprintf("last renewed %s ago", c.Session.Ago(renewed.Time)), &renewed.Time
	}
	if LeaseLive(read, c.Session.Now()) {
		return evidence, session.Answer{}, true
	}
	down := session.Cause(finding.Finding{
		Reason: finding.ControlPlaneDown, Situation: "CloudManagerDown", Object: lease.Ref, Certainty: finding.Proven,
		Details:  finding.ControlPlaneDownDetails{RenewedAt: evidence.At},
		Evidence: []finding.Evidence{evidence},
		Remedies: []finding.Remedy{{
			Step:    "BringCloudManagerBack",
			Command: c.Session.Kubectl.Prefix(lease.Ref, "get", "daemonsets,deployments,pods", "-o", "wide"),
		}},
	})
	return evidence, session.Answer{Waits: []session.Wait{{Blocker: lease, ForAnswer: true, Otherwise: down}}}, false
}
