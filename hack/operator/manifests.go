package operator

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// manifest is one object of an operator's manifests, and its text.
type manifest struct {
	*unstructured.Unstructured
	text string
}

// manifests are those of an operator that are left out, or all the others.
func (h *Harness) manifests(name string, leftOut bool) ([]manifest, error) {
	data, err := os.ReadFile(filepath.Join(h.built, name, "manifests.yaml"))
	if err != nil {
		return nil, err
	}
	var all []manifest
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &object.Object); err != nil {
			return nil, err
		}
		if len(object.Object) > 0 && h.operators[name].leavesOut(object) == leftOut {
			all = append(all, manifest{object, string(document)})
		}
	}
}

// applyOf applies an operator's manifests: only those in LeaveOut, or all the others. If the namespaces of its pods are
// in no manifest, it makes them first, as an installer does.
func (h *Harness) applyOf(ctx context.Context, name string, leftOut bool) error {
	all, err := h.manifests(name, leftOut)
	if err != nil {
		return err
	}
	for namespace := range namespacesOf(h.operators[name]) {
		makes := func(one manifest) bool { return one.GetKind() == "Namespace" && one.GetName() == namespace }
		_, err := h.client.CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) && !slices.ContainsFunc(all, makes) {
			text := "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + namespace + "}\n"
			if err := h.steps(ctx, zoo.Step{Apply: text}); err != nil {
				return err
			}
		}
	}
	// kubectl and helm put namespaces first, too: what is in them comes after them.
	slices.SortStableFunc(all, func(a, b manifest) int { return order(a) - order(b) })
	return h.applyAll(ctx, all)
}

func order(one manifest) int {
	if one.GetKind() == "Namespace" {
		return 0
	}
	return 1
}

// applyLeftOut applies what is left out of an operator's manifests and of a kind: OPERATOR/KIND.
func (h *Harness) applyLeftOut(ctx context.Context, which string) error {
	name, kind, _ := strings.Cut(which, "/")
	all, err := h.manifests(name, true)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(one manifest) bool { return one.GetKind() != kind })
	if len(all) == 0 {
		return fmt.Errorf("no %s is left out of the manifests of %s", kind, name)
	}
	return h.applyAll(ctx, all)
}

func (h *Harness) applyAll(ctx context.Context, all []manifest) error {
	for _, one := range all {
		if err := h.steps(ctx, zoo.Step{Apply: one.text}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

// uninstall deletes what was installed, but definitions, for whose objects it would be the end, and namespaces; and
// waits until its pods are gone.
func (h *Harness) uninstall(ctx context.Context, name string) error {
	all, err := h.manifests(name, false)
	if err != nil {
		return err
	}
	for _, one := range slices.Backward(all) {
		kind := one.GetKind()
		if kind == "CustomResourceDefinition" || kind == "Namespace" {
			continue
		}
		name, namespace := typed(one.GroupVersionKind(), one.GetName()), orElse(one.GetNamespace(), "default")
		object := zoo.Object{Object: name, Namespace: namespace}
		if err := h.steps(ctx, zoo.Step{Delete: &zoo.Delete{Object: object}}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return h.awaitEnd(ctx, name)
}

// typed is TYPE/NAME as steps take it.
func typed(kind schema.GroupVersionKind, name string) string {
	resource := strings.ToLower(kind.Kind)
	if kind.Group != "" {
		resource += "." + kind.Group
	}
	return resource + "/" + name
}
