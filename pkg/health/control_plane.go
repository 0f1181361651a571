// Package health tells whether something runs: nodes, pods, workloads, backends of Services, and the control plane.
package health

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Checker tells how the programs of one cluster fare, by what a session reads.
type Checker struct {
	Session *session.Session
}

// NewChecker returns a Checker that reads through a session.
func NewChecker(reads *session.Session) *Checker { return &Checker{Session: reads} }

// Words is a phrase in words, for observations. It is empty for none.
func (c *Checker) Words(phrase finding.Phrase) string {
	if phrase.Situation == "" {
		return ""
	}
	return finding.Voice{Now: c.Session.Now()}.Phrase(phrase)
}

// ControllerManagerDown tells whether kube-controller-manager is known to be down. Not knowing is not down.
func (c *Checker) ControllerManagerDown(ctx context.Context) (session.Answer, bool) {
	answer, alive := c.ControllerManagerAlive(ctx)
	return answer, !alive && len(answer.Open) == 0
}

// ControllerManagerAlive tells whether kube-controller-manager holds its Lease, or why not (deletion-mechanics M22).
func (c *Checker) ControllerManagerAlive(ctx context.Context) (session.Answer, bool) {
	lease := controllerManager()
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
	renewal := c.lastRenewal(lease, read, ", due every few seconds")
	label := "component=" + session.ControllerManager
	back := c.Session.Kubectl.Prefix(lease.Ref, "get", "pods", "-l", label, "-o", "wide")
	return notHeld(lease, renewal, finding.Finding{
		Situation: "ControllerManagerDown", Details: finding.ControlPlaneDownDetails{RenewedAt: renewal.At},
		Remedies: []finding.Remedy{{Step: "BringControllerManagerBack", Command: back}},
	}), false
}

func controllerManager() *session.Object {
	return session.Named(cluster.Leases(), "kube-system", session.ControllerManager)
}

// lastRenewal is the evidence of when a Lease was renewed. due says how often it should be.
func (c *Checker) lastRenewal(lease *session.Object, read *coordinationv1.Lease, due string) finding.Evidence {
	lease.Ref.UID = string(read.UID)
	if renewed := read.Spec.RenewTime; renewed != nil {
		return lease.Ref.Observed("last renewed %s ago%s", c.Session.Ago(renewed.Time), due).When(renewed.Time)
	}
	return lease.Ref.Observed("given up by its last holder")
}

func notHeld(lease *session.Object, renewal finding.Evidence, down finding.Finding) session.Answer {
	down.Reason, down.Object, down.Certainty = finding.ControlPlaneDown, lease.Ref, finding.Proven
	down.Evidence = []finding.Evidence{renewal}
	return session.AwaitAnswer(lease, down)
}

// ControllerManagerUnread tells whether the Lease of kube-controller-manager can't be read, and answers
// with that. Where there is none, as managed clusters have it, nothing speaks against its running.
func (c *Checker) ControllerManagerUnread(ctx context.Context) (session.Answer, bool) {
	lease := controllerManager()
	_, err := c.Lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return session.Answer{}, false
	}
	return session.Unread(finding.UnreadObject(lease.Ref), err), true
}

// LeaseEvidence is what the controller manager's Lease says, for notes about a live one.
func (c *Checker) LeaseEvidence(ctx context.Context) []finding.Evidence {
	lease := controllerManager()
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
	held, renewed, lasts := lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.LeaseDurationSeconds
	if held == nil || *held == "" || renewed == nil || lasts == nil {
		return false
	}
	return now.Sub(renewed.Time) <= time.Duration(*lasts)*time.Second
}

// CloudManagerLease looks at the cloud-controller-manager's Lease: held says that somebody is leading.
// There is an answer when nobody is, although somebody was, and when the Lease can't be read.
func (c *Checker) CloudManagerLease(ctx context.Context) (evidence finding.Evidence, answer session.Answer, held bool) {
	lease := session.Named(cluster.Leases(), "kube-system", session.CloudManager)
	read, err := c.Lease(ctx, lease)
	if err != nil {
		if !apierrors.IsNotFound(err) {
			answer = session.Unread(finding.UnreadObject(lease.Ref), err)
		}
		return lease.Ref.NotFound(), answer, false
	}
	evidence = c.lastRenewal(lease, read, "")
	if LeaseLive(read, c.Session.Now()) {
		return evidence, session.Answer{}, true
	}
	back := c.Session.Kubectl.Prefix(lease.Ref, "get", "daemonsets,deployments,pods", "-o", "wide")
	return evidence, notHeld(lease, evidence, finding.Finding{
		Situation: "CloudManagerDown", Details: finding.ControlPlaneDownDetails{RenewedAt: evidence.At},
		Remedies: []finding.Remedy{{Step: "BringCloudManagerBack", Command: back}},
	}), false
}
