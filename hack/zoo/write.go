package zoo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// keepPatching carries out a patch, and again and again in the background until the context ends, or Hush is called.
func (b *Breaker) keepPatching(ctx context.Context, patch Patch) error {
	if err := b.patch(ctx, patch); err != nil || patch.Every.Duration == 0 {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	b.hush.Store(patch.Object, cancel)
	go wait.UntilWithContext(ctx, func(ctx context.Context) { _ = b.patch(ctx, patch) }, patch.Every.Duration)
	return nil
}

// Hush ends the patches that a scenario repeats: someone stops the programs.
func (b *Breaker) Hush(scenario Scenario) {
	for _, step := range scenario.Steps {
		if step.Patch == nil {
			continue
		}
		if cancel, repeats := b.hush.LoadAndDelete(step.Patch.Object); repeats {
			cancel.(context.CancelFunc)()
		}
	}
}

// patch carries out a patch as whom it says: as cluster administrator, or as a user, whose rights the API server
// checks. RBAC takes a moment to be in force, which is waited for.
func (b *Breaker) patch(ctx context.Context, patch Patch) error {
	writer := b
	if patch.As != "" {
		var err error
		if writer, err = b.as(patch.As); err != nil {
			return err
		}
	}
	var last error
	err := poll(ctx, func(ctx context.Context) (bool, error) {
		last = writer.patchOnce(ctx, patch)
		return patch.As == "" || !apierrors.IsForbidden(last), nil
	})
	if last != nil {
		err = last
	}
	return describe(err, "patch", patch.Object.Object)
}

func (b *Breaker) patchOnce(ctx context.Context, patch Patch) error {
	client, name, err := b.resource(ctx, patch.Object)
	if err != nil {
		return err
	}
	data, err := json.Marshal(patch.Merge)
	if err != nil {
		return err
	}
	if bytes.Contains(data, []byte("${")) {
		if data, err = b.fill(ctx, data, patch.Namespace); err != nil {
			return err
		}
	}
	var subresources []string
	if patch.Subresource != "" {
		subresources = []string{patch.Subresource}
	}
	options := metav1.PatchOptions{FieldManager: cmp.Or(patch.Manager, "kubectl-patch")}
	if !patch.Apply {
		_, err = client.Patch(ctx, name, types.MergePatchType, data, options, subresources...)
		return err
	}
	if data, err = b.identified(ctx, patch.Object, data); err != nil {
		return err
	}
	options.Force = new(true)
	_, err = client.Patch(ctx, name, types.ApplyPatchType, data, options, subresources...)
	return err
}

// identified adds to fields that are to be applied what they are applied to: server-side apply wants it in the body.
func (b *Breaker) identified(ctx context.Context, object Object, data []byte) ([]byte, error) {
	current, err := b.Get(ctx, object)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	fields["apiVersion"], fields["kind"] = current.GetAPIVersion(), current.GetKind()
	return json.Marshal(fields)
}

// as returns a Breaker that acts as a user, in no group but those of everybody who is authenticated.
func (b *Breaker) as(user string) (*Breaker, error) {
	config, err := b.plane.AdminConfig()
	if err != nil {
		return nil, err
	}
	config.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &Breaker{plane: b.plane, client: client, mapper: b.mapper}, nil
}

func (b *Breaker) own(ctx context.Context, own Own) error {
	owner, err := b.Get(ctx, Object{Object: own.By, Namespace: own.Namespace})
	if err != nil {
		return err
	}
	reference := map[string]any{
		"apiVersion": owner.GetAPIVersion(), "kind": owner.GetKind(), "name": owner.GetName(),
		"uid":                string(owner.GetUID()),
		"blockOwnerDeletion": true,
	}
	metadata := map[string]any{"ownerReferences": []any{reference}}
	return b.patch(ctx, Patch{Object: own.Object, Merge: map[string]any{"metadata": metadata}})
}

func (b *Breaker) delete(ctx context.Context, deletion Delete) error {
	client, name, err := b.resource(ctx, deletion.Object)
	if err != nil {
		return err
	}
	policies := map[string]metav1.DeletionPropagation{
		"": metav1.DeletePropagationBackground, "background": metav1.DeletePropagationBackground,
		"foreground": metav1.DeletePropagationForeground, "orphan": metav1.DeletePropagationOrphan,
	}
	policy, known := policies[deletion.Cascade]
	if !known {
		return fmt.Errorf("cascade %q is none", deletion.Cascade)
	}
	options := metav1.DeleteOptions{PropagationPolicy: &policy, GracePeriodSeconds: deletion.GraceSeconds}
	err = client.Delete(ctx, name, options)
	return describe(err, "delete", deletion.Object.Object)
}

// Release removes finalizers from an object as a user, or as cluster administrator if it names none. It reports whether
// the object had any of them.
func (b *Breaker) Release(ctx context.Context, ref finding.Ref, finalizers []string, user string) (bool, error) {
	kind := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	object := Object{Object: fmt.Sprintf("%s.%s/%s", kind.Kind, kind.Group, ref.Name), Namespace: ref.Namespace}
	current, err := b.Get(ctx, object)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	before := current.GetFinalizers()
	left := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(finalizers, name) })
	if len(left) == len(before) {
		return false, nil
	}
	metadata := map[string]any{"finalizers": left, "resourceVersion": current.GetResourceVersion()}
	err = b.patch(ctx, Patch{Object: object, As: user, Merge: map[string]any{"metadata": metadata}})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return true, nil // a controller that does run was faster
	}
	return true, err
}
