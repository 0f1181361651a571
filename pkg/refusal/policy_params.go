package refusal

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// parameters are what a policy's binding takes for parameters. There are none at all where it does without, and
// then it is not asked.
type parameters struct {
	found   []*admission.Content
	unknown bool                     // there may be some that can't be read
	missing string                   // which can't be found, where the binding insists
	lacks   string                   // its kind and name, if it has one
	given   *finding.PolicyParameter // what that is; nil for a policy without parameters
}

// as is what is given if one of what was found is the parameter.
func (p parameters) as(content *admission.Content) *finding.PolicyParameter {
	if p.given == nil || content == nil {
		return p.given
	}
	given, object := *p.given, unstructured.Unstructured{Object: content.Fields}
	given.Object.Namespace, given.Object.Name = object.GetNamespace(), object.GetName()
	given.Object.UID = string(object.GetUID())
	return &given
}

func (l *admissionLook) withParams(
	ctx context.Context, policy *admissionregistrationv1.ValidatingAdmissionPolicy,
	binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding,
) (asked []decision) {
	plain := admission.Policy{Policy: policy, Binding: binding}
	of := l.parameters(ctx, policy.Spec.ParamKind, binding.Spec.ParamRef, binding.Name)
	plain.ParamName = of.lacks
	if plain.ParamUnknown, plain.ParamMissing = of.unknown, of.missing; of.unknown || of.missing != "" {
		asked = append(asked, decision{plain, ruling{binding: binding.Name, parameter: of.given}})
	}
	for _, plain.Param = range of.found {
		asked = append(asked, decision{plain, ruling{binding: binding.Name, parameter: of.as(plain.Param)}})
	}
	return asked
}

// parameters finds the parameters of a policy's binding (k8s v1.37
// apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go:CollectParams).
func (l *admissionLook) parameters(
	ctx context.Context, kind *admissionregistrationv1.ParamKind,
	reference *admissionregistrationv1.ParamRef, binding string,
) (of parameters) {
	if kind == nil || reference == nil {
		return parameters{found: []*admission.Content{nil}}
	}
	found, err := l.params(ctx, kind, reference)
	of.given = l.given(ctx, kind, reference, len(found))
	switch {
	case errors.Is(err, errNowhere):
		const nowhere = "its binding %s names no namespace for its %s, and the object has none"
		of.missing, of.given = fmt.Sprintf(nowhere, binding, kind.Kind), nil
	case apierrors.IsNotFound(err) || err == nil && len(found) == 0:
		if !insists(reference) {
			break
		}
		needed := l.paramNamed(kind, reference)
		of.missing = fmt.Sprintf(
			"its binding %s needs %s, which does not exist (parameterNotFoundAction: Deny)", binding, needed,
		)
		of.given.Absent = true
		if reference.Name != "" {
			of.lacks = needed
		}
	case err != nil:
		of.unknown, of.given.Unread = true, true
	default:
		for _, one := range found {
			of.found = append(of.found, &admission.Content{Fields: one.Object, Whole: true})
		}
	}
	return of
}

func insists(ref *admissionregistrationv1.ParamRef) bool {
	return ref != nil && deref(ref.ParameterNotFoundAction) == admissionregistrationv1.DenyAction
}

// unserved answers for a policy whose parameters are of a kind that is not served, and reports whether they are. An API
// server that looks for the kind now refuses all that the policy is about, whatever its bindings say; one that found it
// before it went continues with what it has read, which is nothing by now (k8s v1.37
// apiserver/pkg/admission/plugin/policy/generic/policy_source.go:ensureParamsForPolicyLocked).
func (l *admissionLook) unserved(ctx context.Context, registered session.RegisteredPolicy) bool {
	kind := registered.Policy.Spec.ParamKind
	if kind == nil || len(registered.Bindings) == 0 {
		return false
	}
	servedKinds, err := l.checker.Session.Reader.ServedKinds(ctx)
	if err != nil || !servedKinds.Unserved(schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)) {
		return false
	}
	without := fmt.Sprintf("its parameters are of kind %s in %s, which is not served", kind.Kind, kind.APIVersion)
	for _, binding := range registered.Bindings {
		if insists(binding.Spec.ParamRef) && l.concerned(ctx, registered.Policy, binding) == admission.Yes &&
			admission.InScope(registered.Policy, l.request) == admission.Yes {
			l.deny(registered.Object, ruling{Decision: admission.Decision{Failed: true, Message: without}}, false)
			return true
		}
	}
	if l.decided(ctx, func() admission.Match { return admission.InScope(registered.Policy, l.request) }) != admission.No {
		l.unsure(registered.Object, fmt.Sprintf(
			"%s: it refuses %s and everything else that it selects, unless kube-apiserver still knows that kind",
			without, l.write,
		))
	}
	return true
}

func (l *admissionLook) paramNamed(
	kind *admissionregistrationv1.ParamKind, reference *admissionregistrationv1.ParamRef,
) string {
	if reference.Name == "" {
		return fmt.Sprintf("a %s with %s", kind.Kind, metav1.FormatLabelSelector(reference.Selector))
	}
	name := reference.Name
	if namespace := cmp.Or(reference.Namespace, l.request.Namespace); namespace != "" {
		name = namespace + "/" + name
	}
	return kind.Kind + " " + name
}

// errNowhere says that parameters are namespaced, and nothing says where.
var errNowhere = errors.New("no namespace to look for parameters in")

// params reads parameters. Secrets are not read, whatever a policy makes of them.
func (l *admissionLook) params(
	ctx context.Context, kind *admissionregistrationv1.ParamKind, reference *admissionregistrationv1.ParamRef,
) ([]unstructured.Unstructured, error) {
	servedKinds, err := l.checker.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	parsed := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	resource, served := servedKinds.OfKind(parsed.GroupKind())
	if !served || parsed.GroupKind() == (schema.GroupKind{Kind: "Secret"}) {
		return nil, fmt.Errorf("%s is not read", parsed.Kind)
	}
	namespace := ""
	if resource.Namespaced {
		if namespace = cmp.Or(reference.Namespace, l.request.Namespace); namespace == "" {
			return nil, errNowhere
		}
	}
	if reference.Name != "" {
		one, err := l.checker.Session.Reader.Get(ctx, resource, namespace, reference.Name)
		if err != nil {
			return nil, err
		}
		return []unstructured.Unstructured{*one}, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(reference.Selector)
	if err != nil {
		return nil, err
	}
	return l.checker.Session.Reader.List(ctx, resource, namespace, cluster.Selector{Labels: selector.String()})
}

// given is what a binding gives its policy as a parameter, before it was looked for.
func (l *admissionLook) given(
	ctx context.Context, kind *admissionregistrationv1.ParamKind,
	reference *admissionregistrationv1.ParamRef, selected int,
) *finding.PolicyParameter {
	given := &finding.PolicyParameter{
		Object: finding.Ref{APIVersion: kind.APIVersion, Kind: kind.Kind, Name: reference.Name},
	}
	if reference.Name == "" {
		given.Selector = metav1.FormatLabelSelector(reference.Selector)
	}
	if selected > 1 {
		given.Selected = selected
	}
	servedKinds, err := l.checker.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return given
	}
	resource, served := servedKinds.OfKind(schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind).GroupKind())
	if served && resource.Namespaced {
		given.Object.Namespace = cmp.Or(reference.Namespace, l.request.Namespace)
	}
	return given
}
