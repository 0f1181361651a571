package attribution

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Writer is a ServiceAccount that may change the objects of a resource, by rules that name it or its group.
type Writer struct {
	Account    finding.Ref
	everywhere bool
	in         []string // namespaces
}

// May reports whether it may change objects in a namespace; empty is that of what has none.
func (w Writer) May(namespace string) bool { return w.everywhere || slices.Contains(w.in, namespace) }

// Covers reports whether it may change whatever another one may.
func (w Writer) Covers(other Writer) bool {
	without := func(namespace string) bool { return !w.May(namespace) }
	return w.everywhere || !other.everywhere && !slices.ContainsFunc(other.in, without)
}

// Writers returns those of a custom resource. For a kind of Kubernetes' own there are none: rights on that show
// nothing. An error is that RBAC can't be read.
func (f *Finder) Writers(ctx context.Context, resource cluster.Resource) (writers []Writer, err error) {
	if cluster.ServedByKubernetes(resource.Group) {
		return nil, nil
	}
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil, err
	}
	for _, access := range grants.Access(resource.GroupResource(), metav1.NamespaceAll) {
		if access.Account() && (access.Write || len(access.Elsewhere) > 0) {
			writers = append(writers, Writer{refOf(access.Subject), access.Write, access.Elsewhere})
		}
	}
	return writers, nil
}
