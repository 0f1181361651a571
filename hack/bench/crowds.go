package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// crowds are namespaces with many objects: in one, one of a hundred has a finalizer, in the other each.
const (
	crowd     = "crowd"
	heldCrowd = "held-crowd"
	crowded   = 10_000
)

// loadCrowds fills these two.
func loadCrowds(ctx context.Context, plane *controlplane.ControlPlane, scale float64) error {
	l, err := newLoader(plane, scale)
	if err != nil {
		return err
	}
	for namespace, each := range map[string]int{crowd: 100, heldCrowd: 1} {
		if err := l.crowd(ctx, namespace, each); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) crowd(ctx context.Context, namespace string, each int) error {
	made := func(int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		return group("", "v1", "namespaces"), object("v1", "Namespace", "", namespace, nil)
	}
	if err := l.each(ctx, 1, made); err != nil {
		return err
	}
	return l.each(ctx, l.count(crowded), func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		made := object("v1", "ConfigMap", namespace, fmt.Sprintf("of-many-%05d", number), nil)
		if number%each == 0 {
			made.SetFinalizers([]string{"bench.example.com/cleanup"})
		}
		return group("", "v1", "configmaps"), made
	})
}
