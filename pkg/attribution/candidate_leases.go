package attribution

import (
	"context"
	"fmt"
	"slices"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
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

// leaseEvidence is what a Lease shows about its holder, by the server's clock.
func leaseEvidence(reads *session.Session, lease leaseItem) finding.Evidence {
	said := session.ObservedOf(lease.Object, "given up by its last holder")
	renewed := lease.Typed.Spec.RenewTime
	if renewed == nil {
		return said
	}
	said.At = &renewed.Time
	holder, ago := health.Holder(lease.Typed), reads.Ago(renewed.Time)
	switch {
	case holder == "":
		said.Observed += " " + ago + " ago"
	case health.LeaseLive(lease.Typed, reads.Now()):
		said.Observed = fmt.Sprintf("held by %s, renewed %s ago", holder, ago)
	default:
		said.Observed = fmt.Sprintf("held by %s, last renewed %s ago, long overdue", holder, ago)
	}
	return said
}

// examineLeases looks at the Leases in a candidate's namespace: one that is not renewed says that its holder is dead,
// and one that is renewed says that it lives, wherever that is (docs/deletion.md#evidence-about-a-controller). What the
// candidate holds or held comes before what only has its name, and what is renewed before what isn't.
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
		if s.criteria.driver != "" && leadsDriver(s.criteria, lease) {
			weight += 4 // a driver's pod holds one for each of its duties
		}
		if weight > rank {
			found, rank = &leases[i], weight
		}
	}
	if found == nil {
		return true
	}
	said := leaseEvidence(s.finder.Session, *found)
	live := health.LeaseLive(found.Typed, s.session.Now())
	if c.state == candidateAlive && live || c.state == candidateDown && !live { // as its pods show
		said.Rank = finding.Told
	}
	c.evidence, c.holder = append(c.evidence, said), health.Holder(found.Typed)
	if !s.judgeLease(ctx, c, *found, pods) {
		return false
	}
	if c.stale && c.state == candidateAlive && len(pods) > 0 {
		c.state, c.status = candidateDown, finding.Phrase{Situation: "NoPodLeads"}
		c.remedies = restart(s.session, c.workload)
	}
	return true
}

// holds reports whether a candidate holds a Lease, or a pod did that has gone since.
func (c *candidate) holds(lease leaseItem, pods []*corev1.Pod) bool {
	holder := health.Holder(lease.Typed)
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return health.HeldByPod(holder, pod.Name) }) ||
		c.workload != nil && health.HeldByPodOf(holder, c.workload.Ref.Name)
}

// leaseOf reports whether a Lease has a candidate's or its API group's name, or one that the catalogue gives.
func (s *search) leaseOf(lease leaseItem, c *candidate) bool {
	holder := health.Holder(lease.Typed)
	if s.criteria.known != nil && matchesAny(s.criteria.known.Leases, lease.Object.Ref.Path()) {
		return true
	}
	names := names(s.byDomain, s.leads)
	if c.account.Name != "default" {
		names = append(names, c.account.Name)
	}
	if c.workload != nil {
		names = append(names, c.workload.Ref.Name)
	}
	return naming.Mentions(lease.Object.Ref.Name, names...) || naming.Mentions(holder, names...)
}
