package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// stuckKinds are what gets stuck.
func stuckKinds() []struct {
	resource schema.GroupVersionResource
	kind     string
	more     map[string]any
} {
	claim := map[string]any{"spec": map[string]any{
		"accessModes": []any{"ReadWriteOnce"},
		"resources":   map[string]any{"requests": map[string]any{"storage": "1Gi"}},
	}}
	return []struct {
		resource schema.GroupVersionResource
		kind     string
		more     map[string]any
	}{
		{group("", "v1", "configmaps"), "ConfigMap", nil},
		{group("", "v1", "secrets"), "Secret", nil},
		{group("", "v1", "serviceaccounts"), "ServiceAccount", nil},
		{group("", "v1", "persistentvolumeclaims"), "PersistentVolumeClaim", claim},
		{group("", "v1", "pods"), "Pod", map[string]any{"spec": podTemplate()["spec"]}},
		{group("rbac.authorization.k8s.io", "v1", "roles"), "Role", map[string]any{"rules": []any{}}},
		{group("coordination.k8s.io", "v1", "leases"), "Lease", nil},
		{group("bench.example.com", "v1", "things000"), "Thing000", nil},
		{group("bench.example.com", "v1", "things001"), "Thing001", nil},
		{group("bench.example.com", "v1", "things002"), "Thing002", nil},
	}
}

func (l *loader) stuck(ctx context.Context) error {
	kinds := stuckKinds()
	made := func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		of := kinds[number%len(kinds)]
		version := of.resource.GroupVersion().String()
		one := object(version, of.kind, in(number), fmt.Sprintf("stuck-%04d", number), of.more)
		one.SetFinalizers([]string{"bench.example.com/cleanup"})
		return of.resource, one
	}
	count := l.count(stuckEach * len(kinds))
	if err := l.each(ctx, count, made); err != nil {
		return err
	}
	for number := range count {
		resource, one := made(number)
		if err := l.client.Resource(resource).Namespace(one.GetNamespace()).Delete(ctx, one.GetName(),
			metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return nil
}
