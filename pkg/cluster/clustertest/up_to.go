package clustertest

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// ListUpTo implements cluster.Reader.
func (m *Memory) ListUpTo(ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured)) (bool, error) {
	objects, err := m.List(ctx, resource, namespace, cluster.Selector{})
	if err != nil {
		return false, err
	}
	for i := range objects[:min(len(objects), most)] {
		visit(&objects[i])
	}
	return len(objects) <= most, nil
}
