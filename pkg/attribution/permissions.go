package attribution

import (
	"context"
	"errors"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// permissions returns what RBAC grants. All four lists are read, once in a diagnosis.
func (f *Finder) permissions(ctx context.Context) (*rbac.Grants, error) {
	return f.grants.Get(struct{}{}, func() (*rbac.Grants, error) {
		var reading sync.WaitGroup
		var roles []*rbacv1.Role
		var clusterRoles []*rbacv1.ClusterRole
		var bindings []*rbacv1.RoleBinding
		var clusterBindings []*rbacv1.ClusterRoleBinding
		failures := make([]error, 4)
		began := f.Session.Now()
		reading.Go(func() { roles, failures[0] = typedList[rbacv1.Role](ctx, f, cluster.Roles()) })
		reading.Go(func() { clusterRoles, failures[1] = typedList[rbacv1.ClusterRole](ctx, f, cluster.ClusterRoles()) })
		reading.Go(func() { bindings, failures[2] = typedList[rbacv1.RoleBinding](ctx, f, cluster.RoleBindings()) })
		reading.Go(func() {
			clusterBindings, failures[3] = typedList[rbacv1.ClusterRoleBinding](ctx, f, cluster.ClusterRoleBindings())
		})
		reading.Wait()
		if err := errors.Join(failures...); err != nil {
			return nil, err
		}
		grants := rbac.NewGrants(roles, clusterRoles, bindings, clusterBindings)
		grants.Read = began
		return grants, nil
	})
}

// Grants returns what RBAC grants if that was read already, and nil else.
func (f *Finder) Grants() *rbac.Grants {
	grants, _ := f.grants.Lookup(struct{}{})
	return grants
}

// AccountOf returns the ServiceAccount of a workload that was examined as a controller. It answers false for any other
// workload, and for one without an account.
func (f *Finder) AccountOf(workload *finding.Ref) (account rbac.Subject, known bool) {
	if workload == nil {
		return account, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.examined[workload.Place()]; c != nil {
		return c.account, c.account.Name != ""
	}
	return account, false
}

// typedList returns all of a kind: only what T has stays in memory.
func typedList[T any](ctx context.Context, f *Finder, resource cluster.Resource) ([]*T, error) {
	list, err := f.Session.Reader.ListOnce(ctx, resource)
	typed := make([]*T, len(list))
	for i := range list {
		if typed[i], err = session.As[T](&list[i]); err != nil {
			return nil, err
		}
	}
	return typed, err
}

// rightsOf is what a ServiceAccount may do with the held object, for itself or as one of all, and whether a role of its
// own is about the kind.
func rightsOf(criteria criteria, grants *rbac.Grants, subject rbac.Subject) (own *rbac.Access, named bool) {
	own = &rbac.Access{Subject: subject}
	asOne := false
	for _, access := range grants.Access(criteria.resource.GroupResource(), criteria.namespace) {
		if access.Subject == subject {
			own, named = access, true
		}
		asOne = asOne || access.Includes(subject.Namespace) && criteria.lets(access)
	}
	own.Ordinary.Write = own.Ordinary.Write || asOne
	return own, named
}

// lets reports whether rights are enough to remove the finalizer (docs/deletion.md#rights-to-remove-a-finalizer).
func (t criteria) lets(access *rbac.Access) bool {
	if access == nil {
		return false
	}
	status := cluster.StatusWritesMetadata(t.resource.GroupResource()) && (access.Status || access.Ordinary.Status)
	return access.Write || access.Ordinary.Write || status || t.somewhere() && len(access.Elsewhere) > 0
}

// rightSigns are an account's specific rights on a resource.
func rightSigns(access *rbac.Access, resource string) (all signs.List) {
	for _, right := range []struct {
		kind signs.Kind
		has  bool
		verb string
	}{
		{signs.MayFinalize, access.Finalizers, access.FinalizersVerb()},
		{signs.MayWrite, access.Write, access.Level.Verb()},
		{signs.MayWriteOnly, access.Write && access.Named, ""},
		{signs.MayTellState, access.Status, access.StatusVerb()},
		{signs.MayWatch, access.Watch, ""},
	} {
		if right.has {
			all = all.With(right.kind, finding.Clue{Resource: resource, Verb: right.verb})
		}
	}
	return all
}
