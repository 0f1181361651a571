package health

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ControllerManagerDown tells whether kube-controller-manager is known to be down, and answers with
// that. Not knowing is not down.
func (c *Checker) ControllerManagerDown(ctx context.Context) (session.Answer, bool) {
	answer, alive := c.ControllerManagerAlive(ctx)
	return answer, !alive && len(answer.Open) == 0
}

// ControllerManagerAlive tells whether kube-controller-manager holds its Lease. If not, the answer
// says so, or says that it can't be told (deletion-mechanics M22).
func (c *Checker) ControllerManagerAlive(ctx context.Context) (session.Answer, bool) {
	lease := session.Named(cluster.Leases(), "kube-system", session.ControllerManager)
	read, err := c.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		return session.Open(finding.Finding{
			Situation: "ControllerManagerHidden", Evidence: []finding.Evidence{lease.Ref.NotFound()},
		}), false
	case err != nil:
		return session.Unread(finding.UnreadObject(lease.Ref), err), false
	case LeaseLive(read, c.Session.Now()):
		return session.Answer{}, true
	}
	lease.Ref.UID = string(read.UID)
	evidence := lease.Ref.Observed("given up by its last holder")
	if renewed := read.Spec.RenewTime; renewed != nil {
		evidence.Observed = fmt.Sprintf("last renewed %s ago, due every few seconds", c.Session.Ago(renewed.Time))
		evidence.At = &renewed.Time
	}
	down := session.Cause(finding.Finding{
		Reason: finding.ControlPlaneDown, Situation: "ControllerManagerDown", Object: lease.Ref, Certainty: finding.Proven,
		Details:  finding.ControlPlaneDownDetails{RenewedAt: evidence.At},
		Evidence: []finding.Evidence{evidence},
		Remedies: []finding.Remedy{{
			Step:    "BringControllerManagerBack",
			Command: c.Session.Kubectl.Prefix(lease.Ref, "get", "pods", "-l", "component="+session.ControllerManager, "-o", "wide"),
		}},
	})
	return session.Answer{Waits: []session.Wait{{Blocker: lease, ForAnswer: true, Otherwise: down}}}, false
}

// ControllerManagerUnread tells whether the Lease of kube-controller-manager can't be read, and answers
// with that. Where there is none, as managed clusters have it, nothing speaks against its running.
func (c *Checker) ControllerManagerUnread(ctx context.Context) (session.Answer, bool) {
	lease := session.Named(cluster.Leases(), "kube-system", session.ControllerManager)
	_, err := c.Lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return session.Answer{}, false
	}
	return session.Unread(finding.UnreadObject(lease.Ref), err), true
}

// LeaseEvidence is what the controller manager's Lease says, for notes about a live one.
func (c *Checker) LeaseEvidence(ctx context.Context) []finding.Evidence {
	lease := session.Named(cluster.Leases(), "kube-system", session.ControllerManager)
	read, err := c.Lease(ctx, lease)
	if err != nil || read.Spec.RenewTime == nil {
		return nil
	}
	at := read.Spec.RenewTime.Time
	return []finding.Evidence{lease.Ref.Observed("renewed %s ago", c.Session.Ago(at)).When(at)}
}

// Lease reads a Lease.
func (c *Checker) Lease(ctx context.Context, lease *session.Object) (*coordinationv1.Lease, error) {
	whole, err := c.Session.Reader.Get(ctx, lease.Resource, lease.Ref.Namespace, lease.Ref.Name)
	if err != nil {
		return nil, err
	}
	return session.As[coordinationv1.Lease](whole)
}

// LeaseLive tells whether somebody holds the Lease and has renewed it in time.
func LeaseLive(lease *coordinationv1.Lease, now time.Time) bool {
	spec := lease.Spec
	if spec.HolderIdentity == nil || *spec.HolderIdentity == "" {
		return false
	}
	if spec.RenewTime == nil || spec.LeaseDurationSeconds == nil {
		return false
	}
	return now.Sub(spec.RenewTime.Time) <= time.Duration(*spec.LeaseDurationSeconds)*time.Second
}

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
