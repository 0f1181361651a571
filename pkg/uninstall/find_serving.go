package uninstall

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addServing adds what needs the operator's workloads: Services in front of their pods, webhooks and APIs behind these,
// and the ServiceAccounts as which they run, with their rights.
func (f *finder) addServing(ctx context.Context) {
	services := map[[2]string]bool{}
	for _, object := range f.parts.objects {
		if object.Is("", "Service") {
			services[[2]string{object.Ref.Namespace, object.Ref.Name}] = true
		}
	}
	for _, workload := range f.workloads() {
		f.addWorkload(ctx, workload, services)
	}
	f.addHooks(ctx, services)
	f.addAPIs(ctx, services)
	f.addRights(ctx)
}

// workloads are the operator's workloads with pods of their own.
func (f *finder) workloads() (found []*session.Object) {
	for _, object := range f.parts.of(result.RoleWorkload) {
		if object.Resource.Group == "operators.coreos.com" {
			for _, below := range f.survey.ofKind[cluster.Deployments().QualifiedName()] {
				if f.survey.topOwner(below) == object {
					found = append(found, below)
				}
			}
			continue
		}
		found = append(found, object)
	}
	return found
}

// addWorkload adds the account as which a workload runs, and the Services that select its pods.
func (f *finder) addWorkload(ctx context.Context, workload *session.Object, services map[[2]string]bool) {
	template, _, _ := unstructured.NestedMap(f.readPart(ctx, workload), "spec", "template")
	if template == nil {
		return
	}
	name, _, _ := unstructured.NestedString(template, "spec", "serviceAccountName")
	if name != "" && name != "default" {
		account := session.Named(cluster.ServiceAccounts(), workload.Ref.Namespace, name)
		f.accounts = append(f.accounts, account.Ref)
	}
	labels, _, _ := unstructured.NestedStringMap(template, "metadata", "labels")
	items, err := session.ListWhole[corev1.Service](
		ctx, f.tools.Session, cluster.Services(), workload.Ref.Namespace, cluster.Selector{})
	if err != nil {
		return // the session remembers it
	}
	for _, item := range items {
		if selects(item.Typed.Spec.Selector, labels) {
			services[[2]string{item.Object.Ref.Namespace, item.Object.Ref.Name}] = true
			f.addListed(item.Object)
		}
	}
}

func selects(selector, labels map[string]string) bool {
	for key, value := range selector {
		if labels[key] != value {
			return false
		}
	}
	return len(selector) > 0
}

// addListed adds an object as the survey has it.
func (f *finder) addListed(object *session.Object) {
	if known := f.survey.byUID[keyOf(object)]; known != nil {
		object = known
	}
	f.parts.add(object)
}

// addHooks adds the webhook configurations all of whose webhooks the operator answers, and a note about the
// ones that it shares.
func (f *finder) addHooks(ctx context.Context, services map[[2]string]bool) {
	type count struct {
		configuration *session.Object
		own, all      int
	}
	counts := map[string]*count{}
	for _, hook := range f.tools.Session.AdmissionRules(ctx).Hooks {
		key := hook.Configuration.Ref.String()
		if counts[key] == nil {
			counts[key] = &count{configuration: hook.Configuration}
		}
		counts[key].all++
		if service := hook.Hook.ClientConfig.Service; service != nil && services[[2]string{service.Namespace, service.Name}] {
			counts[key].own++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		switch one := counts[key]; {
		case one.own == 0 || f.parts.has(one.configuration):
		case one.own == one.all:
			f.addListed(one.configuration)
		default:
			f.note(finding.Finding{Situation: "UninstallSharedWebhooks", Object: one.configuration.Ref})
		}
	}
}

// addAPIs adds the APIs that the operator serves by aggregation.
func (f *finder) addAPIs(ctx context.Context, services map[[2]string]bool) {
	items, err := session.ListWhole[health.APIService](
		ctx, f.tools.Session, cluster.APIServices(), "", cluster.Selector{})
	if err != nil {
		return // the session remembers it
	}
	for _, item := range items {
		service := item.Typed.Spec.Service
		if service != nil && services[[2]string{service.Namespace, service.Name}] {
			f.addListed(item.Object)
		}
	}
}

// addRights adds the operator's ServiceAccounts, the bindings that are for these alone, and the roles that only such
// bindings refer to; without the accounts as which others run, too.
func (f *finder) addRights(ctx context.Context) {
	shared := sharedAccounts(ctx, f)
	for _, account := range f.accounts {
		if containsRef(shared, account) {
			continue
		}
		if object := f.survey.find(session.Target{
			Resource: cluster.ServiceAccounts(), Namespace: account.Namespace, Name: account.Name,
		}); object != nil {
			f.parts.add(object)
		}
	}
	if len(f.accounts) == 0 {
		return
	}
	used := map[finding.Ref]bool{} // roles, by whether a binding for others refers to them
	bindings, all := f.bindings(ctx)
	for _, item := range bindings {
		binding, role := item.Typed, f.roleOf(item)
		own := len(binding.Subjects) > 0 && !slices.ContainsFunc(binding.Subjects, f.isForOther)
		stays := !own || slices.ContainsFunc(binding.Subjects, func(subject rbacv1.Subject) bool {
			return slices.ContainsFunc(shared, func(account finding.Ref) bool { return isAccount(subject, account) })
		})
		if own {
			f.addRules(ctx, role)
		}
		if !stays {
			f.addListed(item.Object)
		}
		used[role] = used[role] || stays
	}
	for role, others := range used {
		known := f.survey.find(session.Target{
			Resource: resourceOfRole(role), Namespace: role.Namespace, Name: role.Name,
		})
		ofKubernetes := known != nil && known.Meta.Labels["kubernetes.io/bootstrapping"] != ""
		if all && !others && known != nil && !ofKubernetes {
			f.parts.add(known)
		}
	}
}

// addRules remembers what a role allows. A Role has the same fields as a ClusterRole.
func (f *finder) addRules(ctx context.Context, role finding.Ref) {
	object := session.Named(resourceOfRole(role), role.Namespace, role.Name)
	if read, err := session.ReadAs[rbacv1.ClusterRole](ctx, f.tools.Session, object); err == nil {
		f.rules = append(f.rules, read.Rules...)
	}
}

// bindings are the bindings in the cluster, as far as they could be read: those of namespaces have the same fields.
func (f *finder) bindings(ctx context.Context) (found []session.Item[rbacv1.RoleBinding], all bool) {
	all = true
	for _, resource := range []cluster.Resource{cluster.ClusterRoleBindings(), cluster.RoleBindings()} {
		items, err := session.ListWhole[rbacv1.RoleBinding](ctx, f.tools.Session, resource, "", cluster.Selector{})
		all = all && err == nil // the session remembers it
		found = append(found, items...)
	}
	return found, all
}

func (f *finder) isForOther(subject rbacv1.Subject) bool {
	return !slices.ContainsFunc(f.accounts, func(account finding.Ref) bool { return isAccount(subject, account) })
}

func isAccount(subject rbacv1.Subject, account finding.Ref) bool {
	return subject.Kind == rbacv1.ServiceAccountKind && subject.Name == account.Name &&
		subject.Namespace == account.Namespace
}

// roleOf is the role that a binding refers to.
func (f *finder) roleOf(binding session.Item[rbacv1.RoleBinding]) finding.Ref {
	role := finding.Ref{APIVersion: rbacv1.GroupName, Kind: binding.Typed.RoleRef.Kind, Name: binding.Typed.RoleRef.Name}
	if role.Kind == "Role" {
		role.Namespace = binding.Object.Ref.Namespace
	}
	return role
}

func resourceOfRole(role finding.Ref) cluster.Resource {
	if role.Kind == "Role" {
		return cluster.Roles()
	}
	return cluster.ClusterRoles()
}
