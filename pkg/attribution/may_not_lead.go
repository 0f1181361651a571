package attribution

import (
	"context"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// mayNotLead reports whether a candidate with ready pods can't become the leader, because RBAC doesn't let it write the
// Lease that one of its pods held, or that the catalogue gives. Who has no rights on Leases may well elect no leader:
// something has to say that it does, or had more rights. It reads nothing: where RBAC was not read, that is not known.
func mayNotLead(s *search, c *candidate, lease leaseItem, by signs.LeaseTie, pods []*corev1.Pod) bool {
	grants := s.finder.Grants()
	its := by == signs.TiedByFormer || by == signs.TiedByPod || s.terms().catalogued(lease)
	if grants == nil || !its || c.account.Name == "" || podsTold(pods, naming.ElectionOff) ||
		grants.Allows(leaseDenial(c, lease.Object.Ref)) {
		return false
	}
	groups, _ := grants.GroupsOf(c.account)
	had := slices.Contains(groups, coordinationv1.GroupName) ||
		len(grants.Roleless(c.account, lease.Object.Ref.Namespace)) > 0
	return had || s.terms().catalogued(lease) || by == signs.TiedByFormer && podsTold(pods, naming.ElectionOn)
}

// leaseDenial is the write of a Lease by which a candidate would lead (k8s v1.37
// client-go/tools/leaderelection/resourcelock/leaselock.go:Update).
func leaseDenial(c *candidate, lease finding.Ref) rbac.Denial {
	return rbac.Denial{
		Subject: c.account, Verb: "update", Namespace: lease.Namespace, Name: lease.Name,
		Resource: schema.GroupResource{Group: coordinationv1.GroupName, Resource: "leases"},
	}
}

// leasesElsewhere are the ones that the catalogue gives by name, in another namespace than the candidate's: some elect
// in kube-system.
func leasesElsewhere(ctx context.Context, s *search, c *candidate, here []leaseItem) (found []leaseItem) {
	if s.criteria.known == nil || slices.ContainsFunc(here, s.terms().catalogued) {
		return nil
	}
	for _, path := range s.criteria.known.Leases {
		namespace, name, named := strings.Cut(path, "/")
		if !named || strings.Contains(path, "*") || namespace == c.namespace {
			continue
		}
		whole, err := s.session.Reader.GetIfAsked(ctx, cluster.Leases(), namespace, name)
		if err != nil {
			continue
		}
		object, err := session.FromWhole(cluster.Leases(), whole)
		typed, failed := session.As[coordinationv1.Lease](whole)
		if err == nil && failed == nil {
			found = append(found, leaseItem{Object: object, Typed: typed})
		}
	}
	return found
}
