package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"
)

// render returns the manifests of an operator. What its data leaves out is among them, for whoever applies them
// leaves it out, and has to be: a name that a new version doesn't use any more is an error.
func render(ctx context.Context, one operator) ([]byte, error) {
	var out bytes.Buffer
	met := make([]bool, len(one.LeaveOut))
	for _, source := range one.Manifests {
		objects, err := source.objects(ctx, one)
		if err != nil {
			return nil, err
		}
		for _, object := range objects {
			for i, left := range one.LeaveOut {
				met[i] = met[i] || left.matches(object.GetKind(), object.GetName())
			}
			if err := write(&out, object); err != nil {
				return nil, err
			}
		}
	}
	if i := slices.Index(met, false); i >= 0 {
		left := one.LeaveOut[i]
		return nil, fmt.Errorf("leaveOut: there is no %s %s in the manifests", left.Kind, left.Name)
	}
	return out.Bytes(), nil
}

// write adds an object to a stream of YAML documents, and the Secret of a Certificate.
func write(out *bytes.Buffer, object unstructured.Unstructured) error {
	secret, err := certified(object)
	if err != nil {
		return err
	}
	if secret != nil {
		if err := write(out, *secret); err != nil {
			return err
		}
	}
	data, err := yaml.Marshal(object.Object)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "---\n%s", data)
	return err
}

// objects are those of a source of an operator, in its namespace where they name none.
func (s source) objects(ctx context.Context, of operator) ([]unstructured.Unstructured, error) {
	rendered, err := s.render(ctx, of)
	if err != nil {
		return nil, err
	}
	objects, err := parse(rendered)
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		kind := object.GroupVersionKind()
		if object.GetNamespace() == "" && !resid.NewGvk(kind.Group, kind.Version, kind.Kind).IsClusterScoped() {
			object.SetNamespace(s.namespace())
		}
	}
	return objects, nil
}
