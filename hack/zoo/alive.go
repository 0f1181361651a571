package zoo

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// Alive returns the objects that a scenario applies, as far as they exist and are not being deleted.
func (b *Breaker) Alive(ctx context.Context, scenario Scenario) (map[Object]bool, error) {
	alive := map[Object]bool{}
	for _, step := range scenario.Steps {
		if err := eachDocument(step.Apply, func(document []byte) error {
			name, lives, err := b.lives(ctx, document)
			if lives {
				alive[name] = true
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	return alive, nil
}

// lives names the object of a document, and reports whether it exists and is not being deleted. What can't be read may.
func (b *Breaker) lives(ctx context.Context, document []byte) (name Object, lives bool, err error) {
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(placeholder.ReplaceAll(document, []byte("unknown")), &object.Object); err != nil {
		return name, false, err
	}
	kind := object.GroupVersionKind()
	mapping, err := b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if len(object.Object) == 0 || meta.IsNoMatchError(err) {
		return name, false, nil
	}
	if err != nil {
		return name, false, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace && object.GetNamespace() == "" {
		object.SetNamespace(metav1.NamespaceDefault) // as kubectl does
	}
	name = Object{Object: kind.Kind + "/" + object.GetName(), Namespace: object.GetNamespace()}
	client := b.client.Resource(mapping.Resource).Namespace(object.GetNamespace())
	current, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	if err != nil {
		return name, !apierrors.IsNotFound(err), nil
	}
	return name, current.GetDeletionTimestamp() == nil, nil
}
