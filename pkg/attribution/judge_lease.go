package attribution

import (
	"context"
	"slices"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// judgeLease draws from a candidate's Lease how it fares. Its pods may be gone for moments only, so that a Lease which
// none of them holds is looked at again before somebody elsewhere is taken for the one that renews it. It answers false
// where that can't be read.
func (s *search) judgeLease(ctx context.Context, c *candidate, lease leaseItem, pods []*corev1.Pod) bool {
	holder, its := holderOf(lease.Typed), c.holds(lease, pods)
	isPod := slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return heldBy(holder, pod) })
	leads := func(observed string) {
		c.state, c.leads = candidateAlive, true
		c.evidence = append(c.evidence, session.ObservedOf(lease.Object, observed))
	}
	switch {
	case !health.LeaseLive(lease.Typed, s.session.Now()):
		if len(pods) > 0 && !its {
			c.led = holder // another program, which has stopped
		} else {
			c.stale = true
		}
	case c.state == candidateAlive:
		c.leads = its
	case isPod:
		leads("its holder isn't ready, and leads")
	case c.state == candidateIdle, c.state == candidateGone:
		leads("its holder is none of the pods here")
	default:
		renewed, err := s.renewedSince(ctx, lease)
		if err != nil {
			return s.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: c.namespace}, err)
		}
		if renewed {
			leads("was renewed between two looks, by none of these pods")
		} else {
			c.stale = its // a pod that is gone held it
		}
	}
	return true
}

// led tells whether somebody leads by a Lease: renews it in time, and isn't known to be gone.
func (s *search) led(ctx context.Context, lease leaseItem) bool {
	return health.LeaseLive(lease.Typed, s.session.Now()) && !s.holderGone(ctx, lease)
}

// holderGone tells whether the holder of a Lease is a pod that isn't there any more: what was killed a moment ago has
// left a Lease that looks renewed until it runs out. The holder's name must be one that the API server has generated, since
// it may be the name of any host; and no Node may have it, by whose name pods in the Node's network go. Pods of all
// namespaces are asked for: a Lease need not be where its holder is. Where that can't be read, it may be gone.
func (s *search) holderGone(ctx context.Context, lease leaseItem) bool {
	name, _, _ := strings.Cut(holderOf(lease.Typed), "_")
	if !controller.GeneratedName(name) {
		return false
	}
	named := cluster.Selector{Fields: "metadata.name=" + name}
	pods, err := s.session.Reader.List(ctx, cluster.Pods(), "", named)
	if err == nil && len(pods) > 0 {
		return false
	}
	if err == nil {
		_, err = s.session.Reader.Metadata(ctx, cluster.Nodes(), "", name)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		if !s.untold {
			s.cannot(finding.Unread{Kinds: []string{"Pods", "Nodes"}}, err)
		}
		s.untold = true
		s.endsWith(lease)
		return false
	}
	return err != nil
}

// abandoned remembers a Lease that its last holder left behind: what that one said or did, it can't have after the
// Lease had run out.
func (s *search) abandoned(lease leaseItem) {
	s.oldLease = true
	s.endsWith(lease)
}

// endsWith remembers until when a holder led at the least, if it is gone.
func (s *search) endsWith(lease leaseItem) {
	renewed, lasts := lease.Typed.Spec.RenewTime, lease.Typed.Spec.LeaseDurationSeconds
	if renewed == nil || lasts == nil {
		return
	}
	if until := renewed.Add(time.Duration(*lasts) * time.Second); until.After(s.ledUntil) {
		s.ledUntil = until
	}
}

// livesOn tells whether somebody who spoke lives: lately, and not just before a Lease of the project was abandoned.
func (s *search) livesOn(spoke time.Time) bool {
	return s.session.Now().Sub(spoke) < DriverAlive && (s.liveLease && !s.untold || spoke.After(s.ledUntil))
}

// noSuchPod adds to what a Lease tells that its holder is gone.
func noSuchPod(said finding.Evidence) finding.Evidence {
	said.Observed += "; there is no such pod any more"
	return said
}

// renewedSince takes a second look at a Lease: whether somebody has renewed it since it was read.
func (s *search) renewedSince(ctx context.Context, lease leaseItem) (bool, error) {
	renewed, ref := lease.Typed.Spec.RenewTime, lease.Object.Ref
	if renewed == nil || !s.session.Rest(ctx) {
		return false, nil
	}
	whole, err := s.session.Reader.Fresh().Get(ctx, lease.Object.Resource, ref.Namespace, ref.Name)
	if err != nil {
		s.session.Reader.Failed(lease.Object.Resource, ref.Namespace, ref.Name, err)
		return false, err
	}
	now, err := session.As[coordinationv1.Lease](whole)
	return err == nil && now.Spec.RenewTime != nil && now.Spec.RenewTime.After(renewed.Time), err
}
