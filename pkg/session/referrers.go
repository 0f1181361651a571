package session

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Referrers returns the objects that refer to one as their owner, in its namespace and among the
// cluster-scoped kinds, and the kinds of which nothing is known. What is left of a kind without
// blockOwnerDeletion counts as well: the garbage collector deals with it when the owner is gone.
func (s *Session) Referrers(ctx context.Context, owner *Object) ([]*Object, []cluster.Unlisted, error) {
	namespaced := Part{Scope: Namespaced, Namespace: owner.Ref.Namespace}
	return s.DependentsIn(ctx, owner.Ref.UID, namespaced, Part{Scope: ClusterScoped})
}
