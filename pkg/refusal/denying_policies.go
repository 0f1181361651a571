package refusal

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// MayDenyDeletion reports whether a policy may deny deletions of a kind's objects, by its rules and bindings alone.
func (c *Checker) MayDenyDeletion(policy session.RegisteredPolicy, resource cluster.Resource) bool {
	denies := func(binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding) bool {
		return admission.MayDeny(policy.Policy, binding)
	}
	return slices.ContainsFunc(policy.Bindings, denies) &&
		admission.Names(policy.Policy, admissionregistrationv1.Delete, resource.GroupVersionResource)
}

// Asks reports what it depends on, beyond the kind and the names, whether a policy denies a request.
func (c *Checker) Asks(policy session.RegisteredPolicy) (object, namespace bool) {
	for _, binding := range policy.Bindings {
		object = object || admission.AsksObject(policy.Policy, binding)
		namespace = namespace || admission.AsksNamespace(policy.Policy, binding)
	}
	return object, namespace
}

// DeniedBy says what one policy makes of a write. The object is read whole only if whole says so.
func (c *Checker) DeniedBy(ctx context.Context, policy session.RegisteredPolicy, write Write, whole bool) Refusals {
	look := c.lookAt(ctx, write)
	look.partial = !whole
	look.policy(ctx, policy)
	return *look.found
}
