package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// The full load.
const (
	namespaces  = 100
	configMaps  = 30_000
	definitions = 100
	instances   = 10_000
	replicaSets = 1_000
	stuckEach   = 40 // of ten kinds
	writers     = 24
)

// loader fills a control plane.
type loader struct {
	client dynamic.Interface
	scale  float64
}

func load(ctx context.Context, plane *controlplane.ControlPlane, scale float64) error {
	l, err := newLoader(plane, scale)
	if err != nil {
		return err
	}
	started := time.Now()
	for _, step := range []func(context.Context) error{
		l.namespaces, l.definitions, l.configMaps, l.replicaSets, l.instances, l.stuck,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("Loaded in %s.\n", time.Since(started).Round(time.Second))
	return nil
}

func newLoader(plane *controlplane.ControlPlane, scale float64) (*loader, error) {
	config, err := plane.AdminConfig()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	return &loader{client: client, scale: scale}, err
}

func (l *loader) count(full int) int { return max(1, int(float64(full)*l.scale)) }

func group(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

func object(apiVersion, kind, namespace, name string, more map[string]any) *unstructured.Unstructured {
	content := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}
	for key, value := range more {
		content[key] = value
	}
	made := &unstructured.Unstructured{Object: content}
	made.SetNamespace(namespace)
	made.SetLabels(map[string]string{"app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "bench"})
	return made
}

// each makes many objects side by side. What is there already, or not yet served, is waited for or left.
func (l *loader) each(
	ctx context.Context, count int, make func(number int) (schema.GroupVersionResource, *unstructured.Unstructured),
) error {
	numbers := numbersTo(ctx, count)
	var mu sync.Mutex
	var first error
	var writing sync.WaitGroup
	for range writers {
		writing.Go(func() {
			for number := range numbers {
				resource, made := make(number)
				err := l.create(ctx, resource, made)
				mu.Lock()
				if err != nil && first == nil {
					first = fmt.Errorf("create %s %s: %w", made.GetKind(), made.GetName(), err)
				}
				mu.Unlock()
			}
		})
	}
	writing.Wait()
	return first
}

func numbersTo(ctx context.Context, count int) <-chan int {
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for number := range count {
			select {
			case numbers <- number:
			case <-ctx.Done():
				return
			}
		}
	}()
	return numbers
}

func (l *loader) create(
	ctx context.Context, resource schema.GroupVersionResource, made *unstructured.Unstructured,
) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			_, err := l.client.Resource(resource).Namespace(made.GetNamespace()).Create(ctx, made,
				metav1.CreateOptions{FieldManager: "bench"})
			later := apierrors.IsNotFound(err) || apierrors.IsTooManyRequests(err) ||
				apierrors.IsForbidden(err) && strings.Contains(err.Error(), "serviceaccount")
			switch {
			case err == nil, apierrors.IsAlreadyExists(err):
				return true, nil
			case later:
				return false, nil
			}
			return false, err
		})
}

func in(number int) string { return fmt.Sprintf("bench-%03d", number%namespaces) }

func (l *loader) namespaces(ctx context.Context) error {
	return l.each(ctx, namespaces, func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		return group("", "v1", "namespaces"), object("v1", "Namespace", "", in(number), nil)
	})
}

func (l *loader) configMaps(ctx context.Context) error {
	text := strings.Repeat("0123456789abcdef", 128)
	return l.each(ctx, l.count(configMaps), func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		return group("", "v1", "configmaps"), object("v1", "ConfigMap", in(number),
			fmt.Sprintf("settings-%05d", number), map[string]any{"data": map[string]any{"text": text}})
	})
}

func (l *loader) definitions(ctx context.Context) error {
	return l.each(ctx, definitions, func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		plural := fmt.Sprintf("things%03d", number)
		return group("apiextensions.k8s.io", "v1", "customresourcedefinitions"), object("apiextensions.k8s.io/v1",
			"CustomResourceDefinition", "", plural+".bench.example.com", map[string]any{"spec": map[string]any{
				"group": "bench.example.com", "scope": "Namespaced",
				"names": map[string]any{
					"plural": plural, "singular": fmt.Sprintf("thing%03d", number),
					"kind": fmt.Sprintf("Thing%03d", number),
				},
				"versions": []any{map[string]any{
					"name": "v1", "served": true, "storage": true,
					"schema": map[string]any{"openAPIV3Schema": map[string]any{
						"type": "object", "x-kubernetes-preserve-unknown-fields": true,
					}},
				}},
			}})
	})
}

func (l *loader) instances(ctx context.Context) error {
	return l.each(ctx, l.count(instances), func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
		of := number % definitions
		made := object("bench.example.com/v1", fmt.Sprintf("Thing%03d", of), in(number/definitions),
			fmt.Sprintf("thing-%05d", number), map[string]any{"spec": map[string]any{"size": int64(number)}})
		made.SetFinalizers([]string{"bench.example.com/cleanup"})
		return group("bench.example.com", "v1", fmt.Sprintf("things%03d", of)), made
	})
}

func podTemplate() map[string]any {
	return map[string]any{
		"metadata": map[string]any{"labels": map[string]any{"bench": "pod"}},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "main", "image": "none"}}},
	}
}

func (l *loader) replicaSets(ctx context.Context) error {
	return l.each(ctx, l.count(replicaSets),
		func(number int) (schema.GroupVersionResource, *unstructured.Unstructured) {
			template := podTemplate()
			template["metadata"] = map[string]any{"labels": map[string]any{"bench": fmt.Sprintf("web-%04d", number)}}
			return group("apps", "v1", "replicasets"), object("apps/v1", "ReplicaSet", in(number),
				fmt.Sprintf("web-%04d", number), map[string]any{"spec": map[string]any{
					"replicas": int64(1),
					"selector": map[string]any{"matchLabels": map[string]any{"bench": fmt.Sprintf("web-%04d", number)}},
					"template": template,
				}})
		})
}
