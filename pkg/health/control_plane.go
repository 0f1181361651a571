// Package health reports whether something runs: nodes, pods, workloads, backends of Services, and the control plane.
package health

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ControllerManagerDown reports whether kube-controller-manager is known to be down. Not knowing is not down.
func (c *Checker) ControllerManagerDown(ctx context.Context, about *session.Object) (session.Answer, bool) {
	answer, alive := c.ControllerManagerAlive(ctx, about)
	return answer, !alive && len(answer.Open) == 0
}

// ControllerManagerAlive reports whether kube-controller-manager holds its Lease, or why not
// (docs/deletion.md#leases-and-leader-election). Without leader election there is no Lease, or one that is left over:
// then what it has done lately tells, with the object that is asked about (which may be nil) and with others.
func (c *Checker) ControllerManagerAlive(ctx context.Context, about *session.Object) (session.Answer, bool) {
	lease := controllerManager()
	read, err := c.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err) && c.managerWrote(
		ctx, about, worksSince(c.Session, about),
	).at.After(worksSince(c.Session, about)):
		return session.Answer{}, true
	case apierrors.IsNotFound(err):
		return session.Open(finding.Finding{
			Situation: "ControllerManagerHidden", Evidence: []finding.Evidence{lease.Ref.NotFound()},
		}), false
	case err != nil:
		return session.Unread(finding.UnreadObject(lease.Ref), err), false
	case LeaseLive(read, c.Session.Now()) && (fresh(c.Session, read) || !holderLost(ctx, c.Session, read)):
		return session.Answer{}, true
	}
	trace := c.managerWrote(ctx, about, expiryOf(read))
	if trace.at.After(expiryOf(read)) {
		return session.Answer{}, true
	}
	renewal := lastRenewal(c.Session, lease, read, ", due every few seconds")
	label := "component=" + session.ControllerManager
	back := c.Session.Kubectl.Prefix(lease.Ref, "get", "pods", "-l", label, "-o", "wide")
	down := notHeld(lease, renewal, finding.Finding{
		Situation: "ControllerManagerDown", Details: finding.ControlPlaneDownDetails{RenewedAt: renewal.At},
		Remedies: []finding.Remedy{{Step: "BringControllerManagerBack", Command: back}},
	})
	if !trace.complete { // newer writes may be hidden
		for cause := range down.Blamed() {
			cause.Certainty = finding.Likely
		}
	}
	return down, false
}

// ControllerManagerOverdue is ControllerManagerDown by its Lease alone: where there is none, or it can't be read,
// nothing is looked for elsewhere.
func (c *Checker) ControllerManagerOverdue(ctx context.Context) (session.Answer, bool) {
	if _, err := c.Lease(ctx, controllerManager()); err != nil {
		return session.Answer{}, false
	}
	return c.ControllerManagerDown(ctx, nil)
}

// managerWrote returns the latest trace of kube-controller-manager, or one that happened after a time.
func (c *Checker) managerWrote(ctx context.Context, about *session.Object, after time.Time) managerTrace {
	key := ""
	if about != nil {
		key = about.Ref.UID + about.Ref.Path()
	}
	trace, _ := c.traces.Get(key, func() (managerTrace, error) { return c.managerTraces(ctx, about, after), nil })
	if trace.at.After(after) {
		c.lately.Put(struct{}{}, trace.evidence)
	}
	return trace
}

// worksSince is the time after which a trace of kube-controller-manager shows that it works on a deletion: its own, but
// for the first moments.
func worksSince(reads *session.Session, about *session.Object) time.Time {
	if about == nil || !about.Terminating() || reads.Since(about) < session.Patience {
		return reads.Now().Add(-recently)
	}
	return about.RequestedAt()
}

func controllerManager() *session.Object {
	return session.Named(cluster.Leases(), "kube-system", session.ControllerManager)
}

// ControllerManagerUnread reports whether the Lease of kube-controller-manager can't be read, and answers with that. If
// there is none, as on managed clusters, it may well run.
func (c *Checker) ControllerManagerUnread(ctx context.Context) (session.Answer, bool) {
	lease := controllerManager()
	_, err := c.Lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return session.Answer{}, false
	}
	return session.Unread(finding.UnreadObject(lease.Ref), err), true
}

// LeaseEvidence is what shows that the controller manager runs, for notes about a live one: as a rule its Lease.
func (c *Checker) LeaseEvidence(ctx context.Context) []finding.Evidence {
	if trace, known := c.lately.Lookup(struct{}{}); known {
		return []finding.Evidence{trace}
	}
	lease := controllerManager()
	read, err := c.Lease(ctx, lease)
	if err != nil || read.Spec.RenewTime == nil {
		return nil
	}
	at, _ := Renewed(read)
	return []finding.Evidence{lease.Ref.Observed("renewed %s ago", c.Session.Ago(at)).When(at)}
}
