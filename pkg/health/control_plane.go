// Package health reports whether something runs: nodes, pods, workloads, backends of Services, and the control plane.
//
// This package may change at any time.
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

// ControlPlane says whether kube-controller-manager and cloud-controller-manager run, by their Leases and by what they
// have done.
type ControlPlane struct {
	session *session.Session
	events  func(context.Context, *session.Object) ([]*corev1.Event, error) // all events about an object
	// traces are what shows that kube-controller-manager runs, by the object that was asked about.
	traces cluster.Memo[string, managerTrace]
	lately cluster.Memo[struct{}, finding.Evidence] // the last of them that did
	// servers is the Lease that a kube-apiserver renewed last.
	servers cluster.Memo[struct{}, serverLease]
}

// ControllerManagerDown reports whether kube-controller-manager is known to be down. Not knowing is not down.
func (p *ControlPlane) ControllerManagerDown(ctx context.Context, about *session.Object) (session.Answer, bool) {
	answer, alive := p.ControllerManagerAlive(ctx, about)
	return answer, !alive && len(answer.Open) == 0
}

// ControllerManagerAlive reports whether kube-controller-manager holds its Lease, or why not
// (docs/deletion.md#leases-and-leader-election). Without leader election there is no Lease, or one that is left over:
// then what it has done lately tells, with the object that is asked about (which may be nil) and with others.
func (p *ControlPlane) ControllerManagerAlive(ctx context.Context, about *session.Object) (session.Answer, bool) {
	lease := controllerManager()
	read, err := p.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err) && p.managerWrote(
		ctx, about, worksSince(p.session, about),
	).at.After(worksSince(p.session, about)):
		return session.Answer{}, true
	case apierrors.IsNotFound(err):
		return session.Open(finding.Finding{
			Situation: "ControllerManagerHidden", Evidence: []finding.Evidence{lease.Ref.NotFound()},
		}), false
	case err != nil:
		return session.Unread(finding.UnreadObject(lease.Ref), err), false
	case LeaseLive(read, p.session.Now()) && (fresh(p.session, read) || !holderLost(ctx, p.session, read)):
		return session.Answer{}, true
	}
	trace := p.managerWrote(ctx, about, expiryOf(read))
	if trace.at.After(expiryOf(read)) {
		return session.Answer{}, true
	}
	renewal := lastRenewal(p.session, lease, read, ", due every few seconds")
	if stalled, is := p.nothingStored(ctx, lease, read, renewal); is {
		return stalled, false
	}
	label := "component=" + session.ControllerManager
	back := p.session.Kubectl.Prefix(lease.Ref, "get", "pods", "-l", label, "-o", "wide")
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
func (p *ControlPlane) ControllerManagerOverdue(ctx context.Context) (session.Answer, bool) {
	if _, err := p.Lease(ctx, controllerManager()); err != nil {
		return session.Answer{}, false
	}
	return p.ControllerManagerDown(ctx, nil)
}

// managerWrote returns the latest trace of kube-controller-manager, or one that happened after a time.
func (p *ControlPlane) managerWrote(ctx context.Context, about *session.Object, after time.Time) managerTrace {
	key := ""
	if about != nil {
		key = about.Ref.UID + about.Ref.Path()
	}
	trace, _ := p.traces.Get(key, func() (managerTrace, error) { return p.managerTraces(ctx, about, after), nil })
	if trace.at.After(after) {
		p.lately.Put(struct{}{}, trace.evidence)
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
func (p *ControlPlane) ControllerManagerUnread(ctx context.Context) (session.Answer, bool) {
	lease := controllerManager()
	_, err := p.Lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return session.Answer{}, false
	}
	return session.Unread(finding.UnreadObject(lease.Ref), err), true
}

// LeaseEvidence is what shows that the controller manager runs, for notes about a live one: as a rule its Lease.
func (p *ControlPlane) LeaseEvidence(ctx context.Context) []finding.Evidence {
	if trace, known := p.lately.Lookup(struct{}{}); known {
		return []finding.Evidence{trace}
	}
	lease := controllerManager()
	read, err := p.Lease(ctx, lease)
	if err != nil || read.Spec.RenewTime == nil {
		return nil
	}
	at, _ := Renewed(read)
	return []finding.Evidence{lease.Ref.Observed("renewed %s ago", p.session.Ago(at)).When(at)}
}
