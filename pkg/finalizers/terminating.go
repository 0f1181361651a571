package finalizers

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Terminating returns what is Terminating, and what is in a namespace that is Terminating itself only as far as that is
// not known: who asks about the namespace is told about the rest. The order is that of List.
func (c *Cluster) Terminating(ctx context.Context) (targets []Target, err error) {
	list, err := c.List(ctx, ListOptions{Bare: true})
	if err != nil {
		return nil, err
	}
	servedKinds, err := c.reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	namespaces := map[string]bool{}
	for _, item := range list.Items {
		if item.Target.Kind == "Namespace" && item.Target.Group() == "" {
			namespaces[item.Target.Name] = true
		}
	}
	inside := func(item result.ListItem) bool { return namespaces[item.Target.Namespace] }
	for _, item := range slices.DeleteFunc(slices.Clone(list.Items), inside) {
		resource, is := servedKinds.OfKind(schema.GroupKind{Group: item.Target.Group(), Kind: item.Target.Kind})
		if is {
			targets = append(targets, Target{Resource: resource, Namespace: item.Target.Namespace, Name: item.Target.Name})
		}
	}
	return targets, nil
}
