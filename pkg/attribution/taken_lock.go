package attribution

import (
	"cmp"
	"context"
	"slices"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// lockTaken is a decision about a program that runs, unless its arguments name a lock that another program in the
// cluster holds and renews, and RBAC doesn't let that one remove the finalizer: then no program does. It may be an
// older release that was left running. This costs two requests. If the lock can't be read, or its holder is no pod that
// is ready, nothing follows.
func lockTaken(ctx context.Context, h *held, found decision) decision {
	c, grants := found.candidate, h.search.finder.Grants()
	if found.state != Running || c == nil || c.quiet != nil || c.leads || grants == nil ||
		podsTold(c.pods, naming.ElectionOff) || h.search.criteria.kindOfKubernetes() {
		return found
	}
	namespace, name := lockNamedBy(c.pods)
	lease, is := readLock(ctx, h.search.session, cmp.Or(namespace, c.namespace), name)
	if !is || !health.LeaseLive(lease.Typed, h.search.session.Now()) ||
		tieTo(&h.search, c, lease, c.pods) > signs.TiedByName {
		return found
	}
	holder, by, is := holderOf(ctx, h.search.session, lease)
	if !is || by == c.account || lets(grants, removalBy(by, h.object)) {
		return found
	}
	status := finding.Phrase{
		Situation: "LockTaken", Details: finding.LeaderDetails{Lease: &lease.Object.Ref, Holder: &holder},
	}
	own := *c
	own.evidence = append(slices.Clone(c.evidence), leaseEvidence(h.search.session, lease))
	own.quiet = &quiet{kind: lockIsTaken, since: heldSince(lease), lease: lease.Object.Ref, status: status}
	own.remedies = []finding.Remedy{{
		Step: "SeeLockHolder", Details: finding.StepDetails{Object: &holder, Other: &lease.Object.Ref},
		Command: h.search.session.Kubectl.CommandFor(holder, "describe"),
	}}
	return decision{Running, &own}
}

// lockNamedBy is the lock that the arguments of some pods, which are alike, name.
func lockNamedBy(pods []*corev1.Pod) (namespace, name string) {
	for _, pod := range pods {
		for _, container := range pod.Spec.Containers {
			words := slices.Concat(container.Command, container.Args)
			if namespace, name = naming.LockIn(words); name != "" {
				return namespace, name
			}
		}
	}
	return "", ""
}

// readLock reads a Lease. It answers false where there is none, or it can't be read, or none can have this name: that
// is an argument of a program.
func readLock(ctx context.Context, reads *session.Session, namespace, name string) (lease leaseItem, is bool) {
	if name == "" || namespace == "" || cluster.CheckName(namespace, name) != nil {
		return lease, false
	}
	whole, err := reads.Reader.Get(ctx, cluster.Leases(), namespace, name)
	if err != nil {
		return lease, false
	}
	object, err := session.FromWhole(cluster.Leases(), whole)
	typed, failed := session.As[coordinationv1.Lease](whole)
	return leaseItem{Object: object, Typed: typed}, err == nil && failed == nil
}

// holderOf is the ready pod that holds a Lease, the only one of its name in the cluster, and as whom it runs.
func holderOf(
	ctx context.Context, reads *session.Session, lease leaseItem,
) (holder finding.Ref, by rbac.Subject, is bool) {
	name := health.HolderHost(lease.Typed)
	if !naming.GeneratedName(name) {
		return holder, by, false
	}
	named := cluster.Selector{Fields: cluster.FieldIs("metadata.name", name)}
	pods, err := session.ListWhole[corev1.Pod](ctx, reads, cluster.Pods(), "", named)
	if err != nil || len(pods) != 1 || !podReady(pods[0].Typed) {
		return holder, by, false
	}
	return pods[0].Object.Ref, subjectOfPod(pods[0].Typed), true
}

// subjectOfPod is the ServiceAccount that a pod runs as.
func subjectOfPod(pod *corev1.Pod) rbac.Subject {
	return rbac.Subject{
		Kind: rbacv1.ServiceAccountKind, Namespace: pod.Namespace, Name: cmp.Or(pod.Spec.ServiceAccountName, "default"),
	}
}

// heldSince is since when a Lease has had its holder: what was written after that was written without it.
func heldSince(lease leaseItem) time.Time {
	if acquired := lease.Typed.Spec.AcquireTime; acquired != nil {
		return acquired.Time
	}
	return lease.Typed.CreationTimestamp.Time
}
