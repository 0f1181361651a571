package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type leaseItem = session.Item[coordinationv1.Lease]

// leasesIn returns the Leases of a namespace, or, with none given, all but those of kubelets, of which there
// are as many as nodes.
func (f *Finder) leasesIn(ctx context.Context, namespace string) ([]leaseItem, error) {
	selector := cluster.Selector{}
	if namespace == "" {
		selector.Fields = "metadata.namespace!=" + corev1.NamespaceNodeLease
	}
	return session.ListWhole[coordinationv1.Lease](ctx, f.Session, cluster.Leases(), namespace, selector)
}

func holderOf(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// leaseEvidence is what a Lease tells of its holder, by the server's clock.
func (f *Finder) leaseEvidence(lease leaseItem) finding.Evidence {
	ref := lease.Object.Ref
	said := finding.Evidence{Source: ref.String(), Observed: "given up by its last holder", Object: &ref}
	renewed := lease.Typed.Spec.RenewTime
	if renewed == nil {
		return said
	}
	at := renewed.Time
	said.At = &at
	switch holder := holderOf(lease.Typed); {
	case holder == "":
		said.Observed += fmt.Sprintf(" %s ago", f.Session.Ago(at))
	case health.LeaseLive(lease.Typed, f.Session.Now()):
		said.Observed = fmt.Sprintf("held by %s, renewed %s ago", holder, f.Session.Ago(at))
	default:
		said.Observed = fmt.Sprintf("held by %s, last renewed %s ago, long overdue", holder, f.Session.Ago(at))
	}
	return said
}

// examineLeases looks at the Leases in a candidate's namespace: one that nobody renews says that its holder is
// dead, and one that is renewed says that it lives, wherever that is (deletion-mechanics D-5).
func (s *search) examineLeases(ctx context.Context, c *candidate, pods []*corev1.Pod) bool {
	leases, err := s.finder.leasesIn(ctx, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: c.namespace}, err)
	}
	for _, lease := range leases {
		if !s.leaseOf(lease, c, pods) {
			continue
		}
		live := health.LeaseLive(lease.Typed, s.session.Now())
		c.evidence = append(c.evidence, s.finder.leaseEvidence(lease))
		switch {
		case live && (c.state == candidateIdle || c.state == candidateGone):
			c.state = candidateAlive
		case !live:
			c.stale = true
		}
		break
	}
	if c.stale && c.state == candidateAlive && len(pods) > 0 {
		c.state, c.status = candidateDown, finding.Phrase{Situation: "NoPodLeads"}
		return s.findWorkload(ctx, c, pods, cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()) == nil
	}
	return true
}

// leaseOf tells whether a Lease is a candidate's: one of its pods holds it, or it goes by the name of the
// candidate or of its API group.
func (s *search) leaseOf(lease leaseItem, c *candidate, pods []*corev1.Pod) bool {
	holder := holderOf(lease.Typed)
	if slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return holder == pod.Name || strings.HasPrefix(holder, pod.Name+"_")
	}) {
		return true
	}
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
