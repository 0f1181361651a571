package uninstall

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// keptLists is a Reader that lists the metadata of each kind once, in all namespaces: a plan previews several deletions
// of the same cluster. What may be listed in one namespace only is left to the Reader behind it.
type keptLists struct {
	cluster.Reader
	lists cluster.Memo[string, []*metav1.PartialObjectMetadata]
}

// EachMetadata implements cluster.Reader.
func (k *keptLists) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	if selector.Fields != "" || selector.Labels != "" || selector.Keep == cluster.KeepAll {
		return k.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	}
	all, err := k.all(ctx, resource)
	if err != nil && namespace != "" {
		return k.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	}
	for _, object := range all {
		if (namespace == "" || object.Namespace == namespace) && selector.Keep.Keeps(object) {
			visit(own(object))
		}
	}
	return err
}

// own is a copy that its visitor may change.
func own(object *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	changeable := *object
	changeable.Finalizers = slices.Clone(object.Finalizers)
	changeable.OwnerReferences = slices.Clone(object.OwnerReferences)
	return &changeable
}

func (k *keptLists) all(ctx context.Context, resource cluster.Resource) ([]*metav1.PartialObjectMetadata, error) {
	return k.lists.Get(resource.String(), func() (list []*metav1.PartialObjectMetadata, err error) {
		err = k.Reader.EachMetadata(ctx, resource, "", cluster.Selector{}, func(object *metav1.PartialObjectMetadata) {
			if len(object.Finalizers) == 0 && object.DeletionTimestamp == nil {
				object.ManagedFields = nil // most of what there is, and asked for only of what is held
			}
			delete(object.Annotations, "kubectl.kubernetes.io/last-applied-configuration")
			list = append(list, object)
		})
		return list, err
	})
}
