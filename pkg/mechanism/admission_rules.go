package mechanism

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

// admissionRules is all of the cluster's admission configuration that its API shows. What an API server
// reads from files is not among it (deletion-mechanics M17-2), so finding nothing proves nothing.
type admissionRules struct {
	hooks    []registeredHook
	policies []registeredPolicy
	mutating []registeredMutation
	unread   []string // resources that could not be read
}

// registeredHook is a webhook, and the configuration that it stands in.
type registeredHook struct {
	hook          admission.Hook
	configuration *Object
	index, of     int // its place in the configuration
}

// registeredPolicy is a ValidatingAdmissionPolicy and its bindings.
type registeredPolicy struct {
	policy   *admissionregistrationv1.ValidatingAdmissionPolicy
	object   *Object
	bindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding
}

// registeredMutation is a MutatingAdmissionPolicy and its bindings.
type registeredMutation struct {
	policy   *admissionregistrationv1.MutatingAdmissionPolicy
	object   *Object
	bindings []*admissionregistrationv1.MutatingAdmissionPolicyBinding
}

// admissionRules reads the admission configuration, once.
func (w *World) admissionRules(ctx context.Context) *admissionRules {
	w.mu.Lock()
	if w.rules == nil {
		w.rules = sync.OnceValue(func() *admissionRules { return w.readAdmissionRules(ctx) })
	}
	read := w.rules
	w.mu.Unlock()
	return read()
}

func (w *World) readAdmissionRules(ctx context.Context) *admissionRules {
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return &admissionRules{unread: []string{admissionregistrationv1.GroupName}}
	}
	names := []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies", "mutatingadmissionpolicies"}
	lists := make([]admissionList, len(names))
	var reading sync.WaitGroup
	for i, name := range names {
		reading.Go(func() { lists[i] = w.admissionList(ctx, catalog, name) })
	}
	reading.Wait()
	rules := &admissionRules{}
	for _, list := range lists {
		if list.unread {
			rules.unread = append(rules.unread, list.resource.QualifiedName())
		}
	}
	rules.addHooks(lists[0], lists[1])
	rules.addPolicies(lists[2], w.bindings(ctx, catalog, lists[2], "validatingadmissionpolicybindings", rules))
	rules.addMutations(lists[3], w.bindings(ctx, catalog, lists[3], "mutatingadmissionpolicybindings", rules))
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
func (w *World) admissionList(ctx context.Context, catalog *cluster.Catalog, name string) admissionList {
	resource, served := catalog.Find(schema.GroupResource{Group: admissionregistrationv1.GroupName, Resource: name})
	if !served {
		unknown := cluster.Resource{GroupVersionResource: admissionregistrationv1.SchemeGroupVersion.WithResource(name)}
		return admissionList{resource: unknown, unread: catalog.MayServe(admissionregistrationv1.GroupName)}
	}
	objects, err := w.Reader.List(ctx, resource, "", cluster.Selector{})
	return admissionList{resource: resource, objects: objects, unread: err != nil}
}

// bindings lists the bindings of policies, if there are policies at all.
func (w *World) bindings(ctx context.Context, catalog *cluster.Catalog, policies admissionList, name string, rules *admissionRules) admissionList {
	if len(policies.objects) == 0 {
		return admissionList{}
	}
	list := w.admissionList(ctx, catalog, name)
	if list.unread {
		rules.unread = append(rules.unread, list.resource.QualifiedName())
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
		if typed, err := as[T](&list.objects[i]); err == nil {
			visit(object, typed)
		}
	}
}

func (r *admissionRules) addHooks(validating, mutating admissionList) {
	each(mutating, func(object *Object, configuration *admissionregistrationv1.MutatingWebhookConfiguration) {
		r.addConfiguration(object, admission.MutatingHooks(configuration))
	})
	each(validating, func(object *Object, configuration *admissionregistrationv1.ValidatingWebhookConfiguration) {
		r.addConfiguration(object, admission.ValidatingHooks(configuration))
	})
}

func (r *admissionRules) addConfiguration(object *Object, hooks []admission.Hook) {
	for i, hook := range hooks {
		r.hooks = append(r.hooks, registeredHook{hook: hook, configuration: object, index: i, of: len(hooks)})
	}
}

func (r *admissionRules) addPolicies(policies, bindings admissionList) {
	bound := map[string][]*admissionregistrationv1.ValidatingAdmissionPolicyBinding{}
	each(bindings, func(_ *Object, binding *admissionregistrationv1.ValidatingAdmissionPolicyBinding) {
		bound[binding.Spec.PolicyName] = append(bound[binding.Spec.PolicyName], binding)
	})
	each(policies, func(object *Object, policy *admissionregistrationv1.ValidatingAdmissionPolicy) {
		r.policies = append(r.policies, registeredPolicy{policy: policy, object: object, bindings: bound[policy.Name]})
	})
}

func (r *admissionRules) addMutations(policies, bindings admissionList) {
	bound := map[string][]*admissionregistrationv1.MutatingAdmissionPolicyBinding{}
	each(bindings, func(_ *Object, binding *admissionregistrationv1.MutatingAdmissionPolicyBinding) {
		bound[binding.Spec.PolicyName] = append(bound[binding.Spec.PolicyName], binding)
	})
	each(policies, func(object *Object, policy *admissionregistrationv1.MutatingAdmissionPolicy) {
		r.mutating = append(r.mutating, registeredMutation{policy: policy, object: object, bindings: bound[policy.Name]})
	})
}

// empty tells whether there is nothing that could refuse a request.
func (r *admissionRules) empty() bool {
	return len(r.hooks) == 0 && len(r.policies) == 0 && len(r.mutating) == 0
}

// hooksNamed returns the webhooks of a name. Names are unique within a configuration only.
func (r *admissionRules) hooksNamed(name string) []registeredHook {
	var found []registeredHook
	for _, hook := range r.hooks {
		if hook.hook.Name == name {
			found = append(found, hook)
		}
	}
	return found
}

// policyNamed returns a policy by its name.
func (r *admissionRules) policyNamed(name string, mutating bool) *Object {
	if mutating {
		if i := slices.IndexFunc(r.mutating, func(m registeredMutation) bool { return m.object.Ref.Name == name }); i >= 0 {
			return r.mutating[i].object
		}
		return nil
	}
	if i := slices.IndexFunc(r.policies, func(p registeredPolicy) bool { return p.object.Ref.Name == name }); i >= 0 {
		return r.policies[i].object
	}
	return nil
}
