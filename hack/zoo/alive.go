package zoo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Alive returns the objects that a scenario applies, as far as they exist and are not being deleted.
func (b *Breaker) Alive(ctx context.Context, scenario Scenario) (map[Object]bool, error) {
	alive := map[Object]bool{}
	for _, step := range scenario.Steps {
		found, err := b.aliveOf(ctx, step.Apply)
		if err != nil {
			return nil, err
		}
		maps.Copy(alive, found)
	}
	return alive, nil
}

func (b *Breaker) aliveOf(ctx context.Context, manifests string) (map[Object]bool, error) {
	alive := map[Object]bool{}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifests)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return alive, nil
		}
		if err != nil {
			return nil, err
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(placeholder.ReplaceAll(document, []byte("unknown")), &object.Object); err != nil {
			return nil, err
		}
		kind := object.GroupVersionKind()
		mapping, err := b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if len(object.Object) == 0 || meta.IsNoMatchError(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace && object.GetNamespace() == "" {
			object.SetNamespace(metav1.NamespaceDefault) // as kubectl does
		}
		name := Object{Object: kind.Kind + "/" + object.GetName(), Namespace: object.GetNamespace()}
		client := b.client.Resource(mapping.Resource).Namespace(object.GetNamespace())
		current, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
		if err == nil && current.GetDeletionTimestamp() == nil {
			alive[name] = true
		}
		if err != nil && !apierrors.IsNotFound(err) { // what can't be read may be alive
			alive[name] = true
		}
	}
}
