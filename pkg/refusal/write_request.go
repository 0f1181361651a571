package refusal

import (
	"context"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// request is a write as admission would see it, from what has been read of the object so far.
func (c *Checker) request(ctx context.Context, write Write) *admission.Request {
	object := write.Object
	request := &admission.Request{
		Operation: write.Operation, Resource: object.Resource.GroupVersionResource, Subresource: write.Subresource,
		Kind:      schema.FromAPIVersionAndKind(object.Ref.APIVersion, object.Ref.Kind),
		Namespace: object.Ref.Namespace, Name: object.Ref.Name, User: write.By,
		VersionUnknown: !strings.HasPrefix(write.By, SystemAccount("")), // built-in controllers use the one that is read here
	}
	if object.Is("", "Namespace") {
		request.Namespace = object.Ref.Name
	}
	request.Equivalents = c.equivalents(ctx, request.Kind, object.Resource.Resource)
	if write.evicts() {
		request.Kind = schema.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}
		request.Equivalents, request.Object = nil, evictionOf(object)
		return request
	}
	request.OldObject = contentOf(object)
	if write.Operation != admissionregistrationv1.Delete && request.OldObject != nil {
		request.Object = updated(request.OldObject, write)
	}
	return request
}

// equivalents are the other versions in which a resource is served.
func (c *Checker) equivalents(
	ctx context.Context, groupVersionKind schema.GroupVersionKind, resource string,
) []schema.GroupVersionResource {
	others, _ := c.others.Get(groupVersionKind, func() (others []schema.GroupVersionResource, err error) {
		for kind := range c.Session.ServedKinds(ctx).Kinds {
			if kind.GroupKind() == groupVersionKind.GroupKind() && kind.Version != groupVersionKind.Version {
				others = append(others, kind.GroupVersion().WithResource(resource))
			}
		}
		return others, nil
	})
	return others
}

func (w Write) evicts() bool { return w.Subresource == "eviction" }

// evictionOf is what is sent to evict a pod, as far as every sender has it alike.
func evictionOf(pod *session.Object) *admission.Content {
	return &admission.Content{Fields: map[string]any{
		"apiVersion": "policy/v1", "kind": "Eviction",
		"metadata": map[string]any{"namespace": pod.Ref.Namespace, "name": pod.Ref.Name},
	}}
}

func contentOf(object *session.Object) *admission.Content {
	if object.Whole != nil {
		return &admission.Content{Fields: object.Whole.Object, Whole: true}
	}
	if object.Meta == nil {
		return nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object.Meta)
	if err != nil {
		return nil
	}
	fields["apiVersion"], fields["kind"] = object.Ref.APIVersion, object.Ref.Kind
	return &admission.Content{Fields: fields}
}

// updated is an object after an update. All that is known of one that removes nothing is that it leaves the metadata
// alone.
func updated(old *admission.Content, write Write) *admission.Content {
	if write.removes == "" && write.Disowns == nil && !write.Unblocks {
		return &admission.Content{Fields: old.Fields}
	}
	fields := runtime.DeepCopyJSON(old.Fields)
	if metadata, found := fields["metadata"].(map[string]any); found {
		without(metadata, "finalizers", func(entry any) bool { return write.removes != "" && entry == write.removes })
		without(metadata, "ownerReferences", func(entry any) bool {
			owner, _ := entry.(map[string]any)
			if write.Unblocks {
				owner["blockOwnerDeletion"] = false
			}
			return write.Disowns != nil && owner["uid"] == write.Disowns.UID
		})
	}
	return &admission.Content{Fields: fields, Whole: old.Whole}
}

// without removes some entries from a list, and the list with its last entry.
func without(metadata map[string]any, list string, unwanted func(any) bool) {
	entries, _ := metadata[list].([]any)
	if entries = slices.DeleteFunc(entries, unwanted); len(entries) > 0 {
		metadata[list] = entries
	} else {
		delete(metadata, list)
	}
}

// completion adds to a request what was left out because it rarely decides. It answers false when there is nothing to
// add.
type completion func(context.Context, *admission.Request, Write) bool

func (c *Checker) addNamespace(ctx context.Context, request *admission.Request, write Write) bool {
	if request.Within != nil || write.Object.Ref.Namespace == "" {
		return false
	}
	request.Within = within(ctx, c.Session, write.Object.Ref.Namespace)
	return true
}

// addWhole adds the whole object. The data of Secrets and ConfigMaps is never read.
func (c *Checker) addWhole(ctx context.Context, request *admission.Request, write Write) bool {
	object := write.Object
	if object.Whole != nil || write.evicts() || object.Is("", "Secret") || object.Is("", "ConfigMap") {
		return false
	}
	if _, err := c.Session.Whole(ctx, object); err != nil {
		return false
	}
	request.OldObject = contentOf(object)
	if request.Object != nil {
		request.Object = updated(request.OldObject, write)
	}
	return true
}

func within(ctx context.Context, reads *session.Session, namespace string) *admission.Within {
	whole, err := reads.Reader.Get(ctx, cluster.Namespaces(), "", namespace)
	switch {
	case apierrors.IsNotFound(err):
		return &admission.Within{Absent: true}
	case err != nil:
		return &admission.Within{}
	}
	return &admission.Within{Content: &admission.Content{Fields: whole.Object, Whole: true}}
}
