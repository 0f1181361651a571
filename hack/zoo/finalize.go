package zoo

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// finalize empties a Namespace's spec.finalizers, which only its subresource does (k8s v1.37
// pkg/registry/core/namespace/strategy.go:namespaceFinalizeStrategy).
func (b *Breaker) finalize(ctx context.Context, object Object) error {
	client, _, err := b.resource(ctx, object)
	if err != nil {
		return err
	}
	namespace, err := b.Get(ctx, object)
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedStringSlice(namespace.Object, nil, "spec", "finalizers"); err != nil {
		return err
	}
	namespace.SetResourceVersion("") // the namespace controller writes its conditions at the same time
	_, err = client.Update(ctx, namespace, metav1.UpdateOptions{FieldManager: "kubectl-replace"}, "finalize")
	return describe(err, "finalize", object.Object)
}
