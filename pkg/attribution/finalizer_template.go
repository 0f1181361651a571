package attribution

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// template is where the held object got its finalizer from: a field of what it was made of.
type template struct {
	of   *session.Object
	path string // spec.template.metadata.finalizers
}

// readTemplate finds the template that has the finalizer, if the held object was made of one: whoever made it copied
// the entry (k8s v1.37 pkg/controller/controller_utils.go:GetPodFromTemplate,
// pkg/controller/statefulset/stateful_set_utils.go:getPersistentVolumeClaims), and does not remove it, and neither does
// the template's workload. It answers false if that is not clear, and another program than kube-controller-manager
// would be blamed.
func (h *held) readTemplate(ctx context.Context) bool {
	if !h.search.criteria.kindOfKubernetes() || h.hold.Type != finding.Finalizer || h.object.Meta == nil ||
		byHand(h.setters) {
		return true
	}
	copied := slices.ContainsFunc(h.setters, writers.Setter.Copied)
	var err error
	if owner := metav1.GetControllerOfNoCopy(h.object.Meta); owner != nil {
		h.template, err = templateAbove(ctx, h.search.session, h.object, h.hold.Name)
	} else if copied && h.object.Is("", "PersistentVolumeClaim") {
		h.template, err = claimTemplate(ctx, h.search.session, h.object, h.hold.Name)
	}
	if h.template != nil {
		// A program that copies is not its controller.
		h.setters, h.search.criteria.managers, h.search.criteria.written = nil, nil, false
	}
	if err != nil && slices.ContainsFunc(h.setters, writers.Setter.Concrete) {
		return h.search.cannot(finding.Unread{Aspect: finding.OriginOf, Object: &h.object.Ref}, err)
	}
	return true
}

// byHand reports whether people or pipelines alone wrote the entry into the object itself.
func byHand(setters []writers.Setter) bool {
	program := func(setter writers.Setter) bool { return !setter.ByHand }
	return len(setters) > 0 && !slices.ContainsFunc(setters, program)
}

// templateAbove goes up from what made the held object to the topmost owner that has the finalizer in a template: it
// makes the others. What is made of core kinds, but for one, has no template.
func templateAbove(
	ctx context.Context, reads *session.Session, object *session.Object, finalizer string,
) (found *template, err error) {
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	const most = 3 // ReplicaSet, Deployment, and one more for operators
	for at, depth := object, 0; depth < most; depth++ {
		owner := metav1.GetControllerOfNoCopy(at.Meta)
		if owner == nil {
			break
		}
		kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind()
		resource, served := servedKinds.OfKind(kind)
		if !served || kind.Group == "" && kind.Kind != "ReplicationController" {
			break
		}
		namespace := ""
		if resource.Namespaced {
			namespace = object.Ref.Namespace
		}
		whole, err := reads.Reader.Get(ctx, resource, namespace, owner.Name)
		if apierrors.IsNotFound(err) || err == nil && whole.GetUID() != owner.UID {
			break
		}
		if err != nil {
			return found, err
		}
		path := templateWith(whole.Object["spec"], "spec", finalizer)
		if path == "" {
			break
		}
		if at, err = session.FromWhole(resource, whole); err != nil {
			return found, err
		}
		found = &template{of: at, path: path}
	}
	return found, nil
}

// templateWith returns the path of the first template below a field whose metadata has a finalizer.
func templateWith(field any, path, finalizer string) string {
	switch field := field.(type) {
	case map[string]any:
		finalizers, _, _ := unstructured.NestedStringSlice(field, "metadata", "finalizers")
		if slices.Contains(finalizers, finalizer) {
			return path + ".metadata.finalizers"
		}
		for _, name := range slices.Sorted(maps.Keys(field)) {
			if found := templateWith(field[name], path+"."+name, finalizer); found != "" {
				return found
			}
		}
	case []any:
		for i, one := range field {
			if found := templateWith(one, fmt.Sprintf("%s[%d]", path, i), finalizer); found != "" {
				return found
			}
		}
	}
	return ""
}

// claimTemplate finds the StatefulSet that made a claim, which need not own it: by the claim's name,
// TEMPLATE-SET-NUMBER (k8s v1.37 pkg/controller/statefulset/stateful_set_utils.go:getPersistentVolumeClaimName).
func claimTemplate(
	ctx context.Context, reads *session.Session, object *session.Object, finalizer string,
) (*template, error) {
	of := regexp.MustCompile(`^(.+)-[0-9]+$`).FindStringSubmatch(object.Ref.Name)
	if of == nil {
		return nil, nil
	}
	namespace := object.Ref.Namespace
	every := cluster.Selector{}
	sets, err := session.ListServed[appsv1.StatefulSet](ctx, reads, "apps", "statefulsets", namespace, every)
	for _, set := range sets {
		i := slices.IndexFunc(set.Typed.Spec.VolumeClaimTemplates, func(claim corev1.PersistentVolumeClaim) bool {
			return claim.Name+"-"+set.Object.Ref.Name == of[1] && slices.Contains(claim.Finalizers, finalizer)
		})
		if i >= 0 {
			path := fmt.Sprintf("spec.volumeClaimTemplates[%d].metadata.finalizers", i)
			return &template{of: set.Object, path: path}, nil
		}
	}
	return nil, err
}

// repair is what to do about the template: whom to ask, and how to keep it from making more of a kind.
func (t *template) repair(kubectl session.Kubectl, kind string) []finding.Remedy {
	object := t.of
	details := finding.StepDetails{Object: &object.Ref, Name: kind, Text: t.path}
	ask := finding.Remedy{
		Step: "AskAuthorOfTemplate", Details: details,
		Command: kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		Risk:    finding.NoRisk,
	}
	edit := finding.Remedy{Step: "EditTemplate", Details: details, Risk: finding.Disruption}
	edit.Command = kubectl.Command(object, "edit")
	switch {
	case object.Terminating():
		return []finding.Remedy{ask} // it makes no more of them
	case strings.Contains(t.path, "volumeClaimTemplates"):
		edit.Step, edit.Risk = "RecreateWithoutEntry", finding.NoRisk
		edit.Command = kubectl.Command(object, "get", "-o", "yaml")
	}
	return []finding.Remedy{ask, edit}
}
