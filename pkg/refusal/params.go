package refusal

import (
	"cmp"
	"context"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// withParams returns a policy once for each of its binding's parameters (k8s v1.37
// apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go:CollectParams).
func (l *admissionLook) withParams(ctx context.Context, policy *admissionregistrationv1.ValidatingAdmissionPolicy, binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding) []admission.Policy {
	plain := admission.Policy{Policy: policy, Binding: binding}
	kind, reference := policy.Spec.ParamKind, binding.Spec.ParamRef
	if kind == nil || reference == nil {
		return []admission.Policy{plain}
	}
	unknown := plain
	unknown.ParamUnknown = true
	found, err := l.params(ctx, kind, reference)
	if apierrors.IsNotFound(err) || err == nil && len(found) == 0 {
		if reference.ParameterNotFoundAction != nil && *reference.ParameterNotFoundAction == admissionregistrationv1.AllowAction {
			return nil
		}
		missing := plain
		missing.ParamMissing = fmt.Sprintf("its binding %s needs %s, which doesn't exist", binding.Name, l.paramNamed(kind, reference))
		return []admission.Policy{missing}
	}
	if err != nil {
		return []admission.Policy{unknown}
	}
	policies := make([]admission.Policy, len(found))
	for i := range found {
		policies[i] = plain
		policies[i].Param = &admission.Content{Fields: found[i].Object, Whole: true}
	}
	return policies
}

// paramNamed names what a binding takes for a parameter.
func (l *admissionLook) paramNamed(kind *admissionregistrationv1.ParamKind, reference *admissionregistrationv1.ParamRef) string {
	if reference.Name == "" {
		return fmt.Sprintf("a %s with %s", kind.Kind, metav1.FormatLabelSelector(reference.Selector))
	}
	name := reference.Name
	if namespace := cmp.Or(reference.Namespace, l.request.Namespace); namespace != "" {
		name = namespace + "/" + name
	}
	return kind.Kind + " " + name
}

// params reads parameters. Secrets are not read, whatever a policy makes of them.
func (l *admissionLook) params(ctx context.Context, kind *admissionregistrationv1.ParamKind, reference *admissionregistrationv1.ParamRef) ([]unstructured.Unstructured, error) {
	catalog, err := l.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	parsed := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	resource, served := catalog.OfKind(parsed.GroupKind())
	if !served || parsed.GroupKind() == (schema.GroupKind{Kind: "Secret"}) {
		return nil, apierrors.NewForbidden(schema.GroupResource{Group: parsed.Group, Resource: parsed.Kind}, reference.Name, nil)
	}
	namespace := ""
	if resource.Namespaced {
		if namespace = reference.Namespace; namespace == "" {
			namespace = l.request.Namespace
		}
	}
	if reference.Name != "" {
		one, err := l.Reader.Get(ctx, resource, namespace, reference.Name)
		if err != nil {
			return nil, err
		}
		return []unstructured.Unstructured{*one}, nil
	}
	return l.Reader.List(ctx, resource, namespace, cluster.Selector{Labels: metav1.FormatLabelSelector(reference.Selector)})
}
