package attribution

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// heldByNamesake reports whether a pod of another namespace has the name of a Lease's holder, too, and RBAC lets it
// write the Lease: that one may have led, and no pod of the candidate. Names of pods are unique in a namespace only,
// and those of StatefulSets are the same in each. It answers false for clear where that can't be read.
func (e examination) heldByNamesake(ctx context.Context, lease leaseItem) (is, clear bool) {
	name, _, _ := strings.Cut(health.Holder(lease.Typed), "_")
	if naming.GeneratedName(name) {
		return false, true
	}
	named := cluster.Selector{Fields: cluster.FieldIs("metadata.name", name)}
	pods, err := e.search.session.Reader.List(ctx, cluster.Pods(), "", named)
	if err != nil {
		return false, e.search.cannot(finding.Unread{Kinds: []string{"Pods"}}, err)
	}
	for i := range pods {
		pod, err := session.As[corev1.Pod](&pods[i])
		if err != nil || pods[i].GetNamespace() == e.c.namespace {
			continue
		}
		account := rbac.Subject{
			Kind: rbacv1.ServiceAccountKind, Namespace: pods[i].GetNamespace(), Name: pod.Spec.ServiceAccountName,
		}
		other := candidate{account: account}
		grants := e.search.finder.Grants()
		if grants == nil || !grants.Allows(leaseDenial(&other, lease.Object.Ref)) {
			continue
		}
		path := account.Namespace + "/" + name
		e.c.evidence = append(slices.Clip(e.c.evidence), session.ObservedOf(
			lease.Object, "Pod "+path+" has its holder's name, too, and may write it"))
		return true, true
	}
	return false, true
}

// heldByAnother reports whether a Lease that only has something in common with a candidate's name is led by a pod of
// the candidate's namespace that runs as another ServiceAccount: then it is another program's, and nothing about the
// candidate. Crossplane's crossplane-leader-election-rbac, which crossplane-rbac-manager holds, is none of crossplane.
// It answers false where that can't be read.
func (e examination) heldByAnother(ctx context.Context, lease leaseItem) bool {
	host := health.HolderHost(lease.Typed)
	program := naming.ProgramOf(host)
	if e.c.state == candidateAlive || e.c.account.Name == "" || program == e.c.name() || program == e.c.account.Name ||
		!naming.GeneratedName(host) || !health.LeaseLive(lease.Typed, e.search.session.Now()) {
		return false
	}
	pod, err := health.HolderPod(ctx, e.search.session, lease.Typed, e.c.namespace)
	return err == nil && pod != nil && pod.Spec.ServiceAccountName != e.c.account.Name
}
