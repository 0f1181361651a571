package session

import (
	"context"
	"slices"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// AdmissionRules is all of the cluster's admission configuration that its API shows. What an API server
// reads from files is not among it (deletion-mechanics M17-2), so finding nothing proves nothing.
type AdmissionRules struct {
	Hooks    []RegisteredHook
	Policies []RegisteredPolicy
	Mutating []RegisteredMutation
	Unread   []string // resources that could not be read
}

// RegisteredHook is a webhook, and the configuration that it stands in.
type RegisteredHook struct {
	Hook          admission.Hook
	Configuration *Object
	Index, Of     int // its place in the configuration
}

// RegisteredPolicy is a ValidatingAdmissionPolicy and its bindings.
type RegisteredPolicy struct {
	Policy   *admissionregistrationv1.ValidatingAdmissionPolicy
	Object   *Object
	Bindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding
}

// RegisteredMutation is a MutatingAdmissionPolicy and its bindings.
type RegisteredMutation struct {
	Policy   *admissionregistrationv1.MutatingAdmissionPolicy
	Object   *Object
	Bindings []*admissionregistrationv1.MutatingAdmissionPolicyBinding
}

// AdmissionRules reads the admission configuration, once.
func (s *Session) AdmissionRules(ctx context.Context) *AdmissionRules {
	rules, _ := s.rules.Get(struct{}{}, func() (*AdmissionRules, error) { return s.readAdmissionRules(ctx), nil })
	return rules
}

func (s *Session) readAdmissionRules(ctx context.Context) *AdmissionRules {
	catalog, err := s.Reader.Catalog(ctx)
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
		reading.Go(func() { lists[i] = s.admissionList(ctx, catalog, name) })
	}
	reading.Wait()
	rules := &AdmissionRules{}
	for _, list := range lists {
		if list.unread {
			rules.Unread = append(rules.Unread, list.resource.QualifiedName())
		}
	}
	rules.addHooks(lists[0], lists[1])
	rules.addPolicies(lists[2], s.bindings(ctx, catalog, lists[2], "validatingadmissionpolicybindings", rules))
	rules.addMutations(lists[3], s.bindings(ctx, catalog, lists[3], "mutatingadmissionpolicybindings", rules))
	return rules
}

// admissionList is all objects of one resource of the group.
type admissionList struct {
	resource cluster.Resource
	objects  []unstructured.Unstructured
	unread   bool
}

// admissionList lists a resource in whichever version the server serves: v1 came to policies late, and
// what is read of them is alike in all versions.
func (s *Session) admissionList(ctx context.Context, catalog *cluster.Catalog, name string) admissionList {
	resource, served := catalog.Find(schema.GroupResource{Group: admissionregistrationv1.GroupName, Resource: name})
	if !served {
		unknown := cluster.Resource{GroupVersionResource: admissionregistrationv1.SchemeGroupVersion.WithResource(name)}
		return admissionList{resource: unknown, unread: catalog.MayServe(admissionregistrationv1.GroupName)}
	}
	objects, err := s.Reader.List(ctx, resource, "", cluster.Selector{})
	return admissionList{resource: resource, objects: objects, unread: err != nil}
}

// bindings lists the bindings of policies, if there are policies at all.
func (s *Session) bindings(
	ctx context.Context, catalog *cluster.Catalog, policies admissionList, name string, rules *AdmissionRules,
) admissionList {
	if len(policies.objects) == 0 {
		return admissionList{}
	}
	list := s.admissionList(ctx, catalog, name)
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

func (r *AdmissionRules) addPolicies(policies, bindings admissionList) {
	bound := map[string][]*admissionregistrationv1.ValidatingAdmissionPolicyBinding{}
	each(bindings, func(_ *Object, binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding) {
		bound[binding.Spec.PolicyName] = append(bound[binding.Spec.PolicyName], binding)
	})
	each(policies, func(object *Object, policy *admissionregistrationv1.ValidatingAdmissionPolicy) {
		r.Policies = append(r.Policies, RegisteredPolicy{Policy: policy, Object: object, Bindings: bound[policy.Name]})
	})
}

func (r *AdmissionRules) addMutations(policies, bindings admissionList) {
	bound := map[string][]*admissionregistrationv1.MutatingAdmissionPolicyBinding{}
	each(bindings, func(_ *Object, binding *admissionregistrationv1.MutatingAdmissionPolicyBinding) {
		bound[binding.Spec.PolicyName] = append(bound[binding.Spec.PolicyName], binding)
	})
	each(policies, func(object *Object, policy *admissionregistrationv1.MutatingAdmissionPolicy) {
		r.Mutating = append(r.Mutating, RegisteredMutation{Policy: policy, Object: object, Bindings: bound[policy.Name]})
	})
}

// Empty tells whether there is nothing that could refuse a request.
func (r *AdmissionRules) Empty() bool {
	return len(r.Hooks) == 0 && len(r.Policies) == 0 && len(r.Mutating) == 0
}

// HooksNamed returns the webhooks of a name. Names are unique within a configuration only.
func (r *AdmissionRules) HooksNamed(name string) []RegisteredHook {
	var found []RegisteredHook
	for _, hook := range r.Hooks {
		if hook.Hook.Name == name {
			found = append(found, hook)
		}
	}
	return found
}

// PolicyNamed returns a policy by its name.
func (r *AdmissionRules) PolicyNamed(name string, mutating bool) *Object {
	if mutating {
		if i := slices.IndexFunc(r.Mutating, func(m RegisteredMutation) bool { return m.Object.Ref.Name == name }); i >= 0 {
			return r.Mutating[i].Object
		}
		return nil
	}
	if i := slices.IndexFunc(r.Policies, func(p RegisteredPolicy) bool { return p.Object.Ref.Name == name }); i >= 0 {
		return r.Policies[i].Object
	}
	return nil
}

// String names the webhook.
func (h RegisteredHook) String() string { return "webhook " + h.Hook.Name }
