package attribution

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// judgeLease finds out from a candidate's Lease what state it is in. Its pods may be gone only for moments, so a Lease
// that none of them holds is read again before a holder elsewhere is assumed. It answers false where that can't be
// read.
func (e examination) judgeLease(ctx context.Context, lease leaseItem, by signs.LeaseTie, pods []*corev1.Pod) bool {
	holder, its := health.Holder(lease.Typed), by >= signs.TiedByFormer
	leads := func(observed string) {
		e.c.state, e.c.leads = candidateAlive, true
		e.c.evidence = append(e.c.evidence, session.ObservedOf(lease.Object, observed))
	}
	switch {
	case !health.LeaseLive(lease.Typed, e.search.session.Now()):
		switch {
		case len(pods) > 0 && !its:
			e.c.led = holder // another program, which has stopped
		case e.c.state != candidateAlive:
			e.c.stale = true
		case by == signs.TiedByPod: // else its pods may elect otherwise since, or not at all
			namesake, clear := e.heldByNamesake(ctx, lease)
			e.c.stale = !namesake && clear
			return clear
		}
	case e.c.state == candidateAlive:
		e.c.leads = its
	case idlesBeside(e.search, e.c, holderAmong(holder, by, pods)):
		last := &e.c.evidence[len(e.c.evidence)-1]
		last.Observed, last.Rank = last.Observed+", by another container of that pod", finding.Main
	case by == signs.TiedByPod:
		leads("the pod that holds it renews it, but is not ready")
	case e.c.state == candidateIdle, e.c.state == candidateGone:
		if e.c.stale = e.search.holderGone(ctx, lease); e.c.stale {
			e.c.evidence = append(e.c.evidence, session.ObservedOf(lease.Object, "the pod that holds it no longer exists"))
			break
		}
		leads("no pod here has its holder's name")
	default:
		renewed, err := renewedSince(ctx, e.search.session, lease)
		if err != nil {
			return e.search.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: e.c.namespace}, err)
		}
		if renewed {
			leads("was renewed within two seconds, by none of these pods")
			if e.c.workload != nil && len(pods) == 0 { // it is not this workload that runs
				e.c.evidence = append(e.c.evidence, session.ObservedOf(e.c.workload, "has no pods"))
				e.c.workload = nil
			}
		} else {
			if e.c.stale = its; its { // a pod that is gone held it
				last := &e.c.evidence[len(e.c.evidence)-1]
				last.Observed += "; that pod no longer exists"
				last.Rank = finding.Told
			}
		}
	}
	return true
}

// led reports whether a Lease has a leader, who renews it in time, and isn't known to be gone.
func (s *search) led(ctx context.Context, lease leaseItem) bool {
	return health.LeaseLive(lease.Typed, s.session.Now()) && !s.holderGone(ctx, lease)
}

// holderGone reports whether the holder of a Lease is a pod that isn't there any more. Where that can't be read, it may
// be gone, and is remembered not to be known.
func (s *search) holderGone(ctx context.Context, lease leaseItem) bool {
	gone, err := health.HolderGone(ctx, s.health.Session, lease.Typed)
	if err != nil {
		if !s.leads.untold {
			s.cannot(finding.Unread{Kinds: []string{"Pods", "Nodes"}}, err)
		}
		s.leads.untold = true
		s.leads.endsWith(lease)
	}
	return gone && err == nil
}

// abandoned remembers a Lease that its last holder left behind: what that one said or did, it can't have after the
// Lease had run out.
func (l *leads) abandoned(lease leaseItem) {
	l.oldLease = true
	l.endsWith(lease)
}

// endsWith remembers until when a holder led at the least, if it is gone.
func (l *leads) endsWith(lease leaseItem) {
	renewed, _ := health.Renewed(lease.Typed)
	lasts := lease.Typed.Spec.LeaseDurationSeconds
	if renewed.IsZero() || lasts == nil {
		return
	}
	if until := renewed.Add(time.Duration(*lasts) * time.Second); until.After(l.ledUntil) {
		l.ledUntil = until
	}
}

// livesOn reports whether a reporter lives: lately, and not just before a Lease of the project was abandoned.
func livesOn(reads *session.Session, leads leads, spoke time.Time) bool {
	return reads.Now().Sub(spoke) < signs.DriverAlive &&
		(leads.liveLease && !leads.untold || spoke.After(leads.ledUntil))
}

// noSuchPod adds to what a Lease tells that its holder is gone.
func noSuchPod(said finding.Evidence) finding.Evidence {
	said.Observed += "; that pod no longer exists"
	return said
}

// renewedSince takes a second look at a Lease: whether it was renewed since it was read.
func renewedSince(ctx context.Context, reads *session.Session, lease leaseItem) (bool, error) {
	renewed, ref := lease.Typed.Spec.RenewTime, lease.Object.Ref
	if renewed == nil || !reads.Rest(ctx) {
		return false, nil
	}
	whole, err := reads.Reader.Fresh().Get(ctx, lease.Object.Resource, ref.Namespace, ref.Name)
	if err != nil {
		reads.Reader.Failed(lease.Object.Resource, ref.Namespace, ref.Name, err)
		return false, err
	}
	now, err := session.As[coordinationv1.Lease](whole)
	return err == nil && now.Spec.RenewTime != nil && now.Spec.RenewTime.After(renewed.Time), err
}
