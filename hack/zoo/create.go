package zoo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

func (b *Breaker) apply(ctx context.Context, manifests string) error {
	return eachDocument(manifests, func(document []byte) error { return b.create(ctx, document) })
}

// eachDocument calls a function with each YAML document of some manifests, but for empty ones, until one fails.
func eachDocument(manifests string, visit func([]byte) error) error {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifests)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && len(bytes.TrimSpace(document)) > 0 {
			err = visit(document)
		}
		if err != nil {
			return err
		}
	}
}

// createMany creates an object many times, some at once.
func (b *Breaker) createMany(ctx context.Context, many Many) error {
	places, failures := make(chan struct{}, 8), make([]error, many.Count)
	var creating sync.WaitGroup
	for number := range many.Count {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(many.Object), &object.Object); err != nil {
			return err
		}
		object.SetName(fmt.Sprintf("%s-%d", object.GetName(), number))
		document, err := yaml.Marshal(object.Object)
		if err != nil {
			return err
		}
		places <- struct{}{}
		creating.Go(func() {
			failures[number] = b.create(ctx, document)
			<-places
		})
	}
	creating.Wait()
	return errors.Join(failures...)
}

// create creates one object. Until the namespace has its ServiceAccount, pods are refused; until a
// new kind is served, its objects are: both are waited for.
func (b *Breaker) create(ctx context.Context, document []byte) error {
	namespace, err := namespaceOf(document)
	if err != nil {
		return err
	}
	if document, err = b.fill(ctx, document, namespace); err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(document, &object.Object); err != nil {
		return err
	}
	var last error
	err = poll(ctx, func(ctx context.Context) (bool, error) {
		gaveUp := apierrors.IsTimeout(last) // and may have created it all the same
		kind := object.GroupVersionKind()
		mapping, err := b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if meta.IsNoMatchError(err) {
			last = err
			meta.MaybeResetRESTMapper(b.mapper)
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if mapping.Scope.Name() == meta.RESTScopeNameNamespace && object.GetNamespace() == "" {
			object.SetNamespace(metav1.NamespaceDefault) // as kubectl does
		}
		client := b.client.Resource(mapping.Resource).Namespace(object.GetNamespace())
		_, last = client.Create(ctx, object, metav1.CreateOptions{FieldManager: "kubectl-create"})
		if gaveUp && apierrors.IsAlreadyExists(last) {
			last = nil
		}
		waiting := apierrors.IsForbidden(last) && strings.Contains(last.Error(), "serviceaccount")
		waiting = waiting || apierrors.IsServiceUnavailable(last) // a mutating policy does not know a new kind yet
		return !waiting && !apierrors.IsTimeout(last), nil
	})
	return errors.Join(err, describe(last, "create", object.GetKind()+"/"+object.GetName()))
}
