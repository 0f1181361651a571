package attribution

import (
	"context"
	"fmt"
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

type leaseItem = session.Item[coordinationv1.Lease]

// leasesIn returns a namespace's Leases, or, with none given, all but those of kubelets, which are as many as nodes.
func (f *Finder) leasesIn(ctx context.Context, namespace string) ([]leaseItem, error) {
	list := func(selector cluster.Selector) ([]leaseItem, error) {
		return session.ListWhole[coordinationv1.Lease](ctx, f.Session, cluster.Leases(), namespace, selector)
	}
	if namespace == "" {
		return f.leases.Get(struct{}{}, func() ([]leaseItem, error) {
			return list(cluster.Selector{Fields: "metadata.namespace!=" + corev1.NamespaceNodeLease})
		})
	}
	if all, read := f.leases.Lookup(struct{}{}); read && namespace != corev1.NamespaceNodeLease {
		elsewhere := func(lease leaseItem) bool { return lease.Object.Ref.Namespace != namespace }
		return slices.DeleteFunc(slices.Clone(all), elsewhere), nil
	}
	return list(cluster.Selector{})
}

func holderOf(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// leaseEvidence is what a Lease tells of its holder, by the server's clock.
func (f *Finder) leaseEvidence(lease leaseItem) finding.Evidence {
	said := session.ObservedOf(lease.Object, "given up by its last holder")
	renewed := lease.Typed.Spec.RenewTime
	if renewed == nil {
		return said
	}
	said.At = &renewed.Time
	holder, ago := holderOf(lease.Typed), f.Session.Ago(renewed.Time)
	switch {
	case holder == "":
		said.Observed += " " + ago + " ago"
	case health.LeaseLive(lease.Typed, f.Session.Now()):
		said.Observed = fmt.Sprintf("held by %s, renewed %s ago", holder, ago)
	default:
		said.Observed = fmt.Sprintf("held by %s, last renewed %s ago, long overdue", holder, ago)
	}
	return said
}

// examineLeases looks at the Leases in a candidate's namespace: one that nobody renews says that its holder is
// dead, and one that is renewed says that it lives, wherever that is (deletion-mechanics D-5). What the candidate holds
// or held comes before what only has its name, and what is renewed before what isn't.
func (s *search) examineLeases(ctx context.Context, c *candidate, pods []*corev1.Pod) bool {
	leases, err := s.finder.leasesIn(ctx, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: c.namespace}, err)
	}
	var found *leaseItem
	rank := 0
	for i, lease := range leases {
		weight := 0
		switch {
		case c.holds(lease, pods):
			weight = 3
		case s.leaseOf(lease, c):
			weight = 1
		default:
			continue
		}
		if health.LeaseLive(lease.Typed, s.session.Now()) {
			weight++
		}
		if s.driver != "" && s.leadsDriver(lease) {
			weight += 4 // a driver's pod holds one for each of its duties
		}
		if weight > rank {
			found, rank = &leases[i], weight
		}
	}
	if found == nil {
		return true
	}
	c.evidence = append(c.evidence, s.finder.leaseEvidence(*found))
	if !s.judgeLease(ctx, c, *found, pods) {
		return false
	}
	if c.stale && c.state == candidateAlive && len(pods) > 0 {
		c.state, c.status = candidateDown, finding.Phrase{Situation: "NoPodLeads"}
		c.remedies = s.restart(c.workload)
	}
	return true
}

// holds tells whether a candidate holds a Lease, or a pod did that has gone since.
func (c *candidate) holds(lease leaseItem, pods []*corev1.Pod) bool {
	holder := holderOf(lease.Typed)
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return heldBy(holder, pod) }) ||
		c.workload != nil && strings.HasPrefix(holder, c.workload.Ref.Name+"-")
}

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

// leaseOf tells whether a Lease has a candidate's or its API group's name, or one that the catalogue gives.
func (s *search) leaseOf(lease leaseItem, c *candidate) bool {
	holder := holderOf(lease.Typed)
	if s.known != nil && matchesAny(s.known.Leases, lease.Object.Ref.Path()) {
		return true
	}
	names := s.names()
	if c.account.Name != "default" {
		names = append(names, c.account.Name)
	}
	if c.workload != nil {
		names = append(names, c.workload.Ref.Name)
	}
	return controller.Mentions(lease.Object.Ref.Name, names...) || controller.Mentions(holder, names...)
}
