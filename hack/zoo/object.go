package zoo

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// Get reads an object.
func (b *Breaker) Get(ctx context.Context, object Object) (*unstructured.Unstructured, error) {
	client, name, err := b.resource(ctx, object)
	if err != nil {
		return nil, err
	}
	return client.Get(ctx, name, metav1.GetOptions{})
}

// resource returns a client for the kind of an object, and the object's name. Objects that a controller makes have
// names that are not known beforehand: TYPE/LABEL=VALUE is the only one with this label.
func (b *Breaker) resource(ctx context.Context, object Object) (dynamic.ResourceInterface, string, error) {
	mapping, name, err := b.mapping(object)
	if err != nil {
		return nil, "", err
	}
	var client dynamic.ResourceInterface = b.client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		client = b.client.Resource(mapping.Resource).Namespace(object.Namespace)
	}
	if !strings.Contains(name, "=") {
		return client, name, nil
	}
	list, err := client.List(ctx, metav1.ListOptions{LabelSelector: name})
	switch {
	case err != nil:
		return nil, "", err
	case len(list.Items) == 0:
		return nil, "", apierrors.NewNotFound(mapping.Resource.GroupResource(), name)
	case len(list.Items) > 1:
		return nil, "", fmt.Errorf("%d %s have the label %s", len(list.Items), mapping.Resource.Resource, name)
	}
	return client, list.Items[0].GetName(), nil
}

func (b *Breaker) mapping(object Object) (*meta.RESTMapping, string, error) {
	kind, name, found := strings.Cut(object.Object, "/")
	if !found {
		return nil, "", fmt.Errorf("%q is not TYPE/NAME", object.Object)
	}
	resource := schema.ParseGroupResource(kind).WithVersion("")
	served, err := b.mapper.KindFor(resource)
	if err != nil {
		return nil, "", err
	}
	mapping, err := b.mapper.RESTMapping(served.GroupKind(), served.Version)
	return mapping, name, err
}
