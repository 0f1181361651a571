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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
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
	at, ahead := health.Renewed(lease.Typed)
	said.At = &at
	holder, ago, off := health.Holder(lease.Typed), reads.Ago(at), health.ClockOff(ahead)
	switch {
	case holder == "":
		said.Observed += " " + ago + " ago"
	case health.LeaseLive(lease.Typed, reads.Now()):
		said.Observed = fmt.Sprintf("held by %s, renewed %s ago%s", holder, ago, off)
	default:
		said.Observed = fmt.Sprintf("held by %s, last renewed %s ago, long overdue%s", holder, ago, off)
	}
	return said
}

// leases looks at the Leases in a candidate's namespace: one that is not renewed says that its holder is dead,
// and one that is renewed says that it lives, wherever that is (docs/deletion.md#evidence-about-a-controller). What the
// candidate holds or held comes before what only has its name, and what is renewed before what isn't.
func (e examination) leases(ctx context.Context, pods []*corev1.Pod) bool {
	leases, err := e.search.finder.leasesIn(ctx, e.c.namespace)
	if err != nil {
		return e.search.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: e.c.namespace}, err)
	}
	leases = slices.Concat(leases, leasesElsewhere(ctx, e.search, e.c, leases))
	found, by := leaseFor(e.search, e.c, leases, pods)
	for found != nil && by <= signs.TiedByHost && e.heldByAnother(ctx, *found) {
		other := found.Object.Ref
		leases = slices.DeleteFunc(leases, func(lease leaseItem) bool { return lease.Object.Ref == other })
		found, by = leaseFor(e.search, e.c, leases, pods)
	}
	if found == nil {
		return true
	}
	e.c.evidence, e.c.holder = append(e.c.evidence, leaseObserved(e.search, e.c, *found)), health.Holder(found.Typed)
	if !e.judgeLease(ctx, *found, by, pods) {
		return false
	}
	switch renewed, _ := health.Renewed(found.Typed); {
	case e.c.state != candidateAlive || health.LeaseLive(found.Typed, e.search.session.Now()):
	case mayNotLead(e.search, e.c, *found, by, pods):
		e.c.quiet = &quiet{kind: mayNotLeadLease, since: renewed, lease: found.Object.Ref, status: finding.Phrase{
			Situation: "MayNotLead", Details: finding.LeaderDetails{Lease: &found.Object.Ref, Account: e.c.accountRef()},
		}}
	case e.c.stale:
		stop(e.search, e.c, pods, quiet{kind: leadsNoMore, since: renewed, status: finding.Phrase{Situation: "NoPodLeads"}})
	}
	return true
}
