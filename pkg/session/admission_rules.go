package session

import (
	"cmp"
	"context"
	"slices"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// AdmissionRules is all of the cluster's admission configuration that its API shows. What an API server reads from
// files is not among it (docs/deletion.md#how-webhooks-and-policies-match), so finding nothing proves nothing.
type AdmissionRules struct {
	Hooks    []RegisteredHook
	Policies []RegisteredPolicy
	Mutating []RegisteredMutation
	Unread   []string // resources that could not be read
}

// RegisteredHook is a webhook, and the configuration that it is in.
type RegisteredHook struct {
	Hook          admission.Hook
	Configuration *Object
	Index, Of     int // its place in the configuration
}

// registered is an admission policy and its bindings.
type registered[P, B any] struct {
	Policy   *P
	Object   *Object
	Bindings []*B
	bound    []*Object // the bindings
}

// RegisteredPolicy is a ValidatingAdmissionPolicy and its bindings.
type RegisteredPolicy = registered[
	admissionregistrationv1.ValidatingAdmissionPolicy, admissionregistrationv1.ValidatingAdmissionPolicyBinding,
]

// RegisteredMutation is a MutatingAdmissionPolicy and its bindings.
type RegisteredMutation = registered[
	admissionregistrationv1.MutatingAdmissionPolicy, admissionregistrationv1.MutatingAdmissionPolicyBinding,
]

// AdmissionRules reads the admission configuration, once.
func (s *Session) AdmissionRules(ctx context.Context) *AdmissionRules {
	rules, _ := s.rules.Get(struct{}{}, func() (*AdmissionRules, error) { return readAdmissionRules(ctx, s.Reader), nil })
	return rules
}

func readAdmissionRules(ctx context.Context, reader *cluster.CachedReader) *AdmissionRules {
	servedKinds, err := reader.ServedKinds(ctx)
	if err != nil {
		return &AdmissionRules{Unread: []string{admissionregistrationv1.GroupName}}
	}
	names := []string{
		"validatingwebhookconfigurations", "mutatingwebhookconfigurations",
		"validatingadmissionpolicies", "mutatingadmissionpolicies",
	}
	lists := make([]admissionList, len(names))
	var reading sync.WaitGroup
	for i, name := range names {
		reading.Go(func() { lists[i] = listAdmission(ctx, reader, servedKinds, name) })
	}
	reading.Wait()
	rules := &AdmissionRules{}
	for _, list := range lists {
		if list.unread {
			rules.Unread = append(rules.Unread, list.resource.QualifiedName())
		}
	}
	rules.addHooks(lists[0], lists[1])
	validating := bindings(ctx, reader, servedKinds, lists[2], "validatingadmissionpolicybindings", rules)
	mutating := bindings(ctx, reader, servedKinds, lists[3], "mutatingadmissionpolicybindings", rules)
	rules.Policies = withBindings[admissionregistrationv1.ValidatingAdmissionPolicy](lists[2], validating,
		func(b *admissionregistrationv1.ValidatingAdmissionPolicyBinding) string { return b.Spec.PolicyName })
	rules.Mutating = withBindings[admissionregistrationv1.MutatingAdmissionPolicy](lists[3], mutating,
		func(b *admissionregistrationv1.MutatingAdmissionPolicyBinding) string { return b.Spec.PolicyName })
	return rules
}

// admissionList is all objects of one resource of the group.
type admissionList struct {
	resource cluster.Resource
	objects  []unstructured.Unstructured
	unread   bool
}

// listAdmission lists a resource in any version that is served: v1 came to policies late, and they are alike.
func listAdmission(
	ctx context.Context, reader *cluster.CachedReader, servedKinds *cluster.ServedKinds, name string,
) admissionList {
	resource, served := servedKinds.Find(schema.GroupResource{Group: admissionregistrationv1.GroupName, Resource: name})
	if !served {
		unknown := cluster.Resource{GroupVersionResource: admissionregistrationv1.SchemeGroupVersion.WithResource(name)}
		return admissionList{resource: unknown, unread: servedKinds.MayServe(admissionregistrationv1.GroupName)}
	}
	objects, err := reader.List(ctx, resource, "", cluster.Selector{})
	return admissionList{resource: resource, objects: objects, unread: err != nil}
}

// bindings lists the bindings of policies, if there are policies at all.
func bindings(
	ctx context.Context, reader *cluster.CachedReader, servedKinds *cluster.ServedKinds, policies admissionList,
	name string, rules *AdmissionRules,
) admissionList {
	if len(policies.objects) == 0 {
		return admissionList{}
	}
	list := listAdmission(ctx, reader, servedKinds, name)
	if list.unread {
		rules.Unread = append(rules.Unread, list.resource.QualifiedName())
	}
	return list
}

// each calls visit with each object of a list in its typed form.
func each[T any](list admissionList, visit func(*Object, *T)) {
	for i := range list.objects {
		object, err := FromWhole(list.resource, &list.objects[i])
		if err != nil {
			continue // the server validates what it stores
		}
		if typed, err := As[T](&list.objects[i]); err == nil {
			visit(object, typed)
		}
	}
}

func (r *AdmissionRules) addHooks(validating, mutating admissionList) {
	each(mutating, func(object *Object, configuration *admissionregistrationv1.MutatingWebhookConfiguration) {
		r.addConfiguration(object, admission.MutatingHooks(configuration))
	})
	each(validating, func(object *Object, configuration *admissionregistrationv1.ValidatingWebhookConfiguration) {
		r.addConfiguration(object, admission.ValidatingHooks(configuration))
	})
}

func (r *AdmissionRules) addConfiguration(object *Object, hooks []admission.Hook) {
	for i, hook := range hooks {
		r.Hooks = append(r.Hooks, RegisteredHook{Hook: hook, Configuration: object, Index: i, Of: len(hooks)})
	}
}

// withBindings returns policies, each with the bindings that name it.
func withBindings[P, B any](policies, bindings admissionList, policyName func(*B) string) (all []registered[P, B]) {
	bound, objects := map[string][]*B{}, map[string][]*Object{}
	each(bindings, func(object *Object, binding *B) {
		name := policyName(binding)
		bound[name], objects[name] = append(bound[name], binding), append(objects[name], object)
	})
	each(policies, func(object *Object, policy *P) {
		name := object.Ref.Name
		all = append(all, registered[P, B]{Policy: policy, Object: object, Bindings: bound[name], bound: objects[name]})
	})
	return all
}

// Empty reports whether there is nothing that could refuse a request.
func (r *AdmissionRules) Empty() bool {
	return len(r.Hooks) == 0 && len(r.Policies) == 0 && len(r.Mutating) == 0
}

// HooksNamed returns the webhooks of a name. Names are unique within a configuration only.
func (r *AdmissionRules) HooksNamed(name string) []RegisteredHook {
	return slices.DeleteFunc(slices.Clone(r.Hooks), func(hook RegisteredHook) bool { return hook.Hook.Name != name })
}

// PolicyNamed returns a policy by its name.
func (r *AdmissionRules) PolicyNamed(name string, mutating bool) *Object {
	if mutating {
		return objectNamed(r.Mutating, name)
	}
	return objectNamed(r.Policies, name)
}

// BindingOf returns the binding of a name of a policy; nil if none is known.
func (r *AdmissionRules) BindingOf(policy finding.Ref, name string) *Object {
	return cmp.Or(bindingNamed(r.Policies, policy, name), bindingNamed(r.Mutating, policy, name))
}

func bindingNamed[P, B any](policies []registered[P, B], ref finding.Ref, name string) *Object {
	for _, policy := range policies {
		for _, binding := range policy.bound {
			if policy.Object.Ref == ref && binding.Ref.Name == name {
				return binding
			}
		}
	}
	return nil
}

func objectNamed[P, B any](policies []registered[P, B], name string) *Object {
	for _, policy := range policies {
		if policy.Object.Ref.Name == name {
			return policy.Object
		}
	}
	return nil
}

// String names the webhook.
func (h RegisteredHook) String() string { return "webhook " + h.Hook.Name }
