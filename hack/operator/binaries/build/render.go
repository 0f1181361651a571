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
		objects, err := source.objects(ctx, one.folder)
		if err != nil {
			return nil, err
		}
		for _, object := range objects {
			for i, left := range one.LeaveOut {
				met[i] = met[i] || left.matches(object.GetKind(), object.GetName())
			}
			data, err := yaml.Marshal(object.Object)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "---\n%s", data)
		}
	}
	if i := slices.Index(met, false); i >= 0 {
		left := one.LeaveOut[i]
		return nil, fmt.Errorf("leaveOut: there is no %s %s in the manifests", left.Kind, left.Name)
	}
	return out.Bytes(), nil
}

// objects are those of a source, in its namespace where they name none.
func (s source) objects(ctx context.Context, folder string) ([]unstructured.Unstructured, error) {
	rendered, err := s.render(ctx, folder)
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
