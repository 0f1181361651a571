package uninstall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// served is a kind that the operator defines, with its objects.
type served struct {
	definition *session.Object
	resource   cluster.Resource
	isServed   bool // by the API server now
	objects    []*session.Object
}

// guests are objects of another kind with a finalizer that the operator removes.
type guests struct {
	resource  cluster.Resource
	finalizer string
	loses     string // by the catalogue, when nothing does what the finalizer is for
	duty      string // the controller that these objects name, if they do: a storage driver
	objects   []*session.Object
}

func (g *guests) key() string { return finding.KeyOf(g.resource.QualifiedName(), g.finalizer, g.duty) }

// mostAsked is for how many finalizers, each on one kind, it is found out which controller removes them.
const mostAsked = 64

// findServed finds the kinds that the operator defines, and the objects of others that have its finalizers.
func (f *finder) findServed(ctx context.Context) {
	for _, definition := range f.parts.of(result.RoleDefinition) {
		f.addServed(ctx, definition)
	}
	if f.onlyKind() {
		return
	}
	f.addByRights(ctx)
	asked := 0
	for _, sort := range f.byDuty(ctx, slices.DeleteFunc(f.sorts(), func(sort *guests) bool {
		return sort.ofKubernetes(f.options.Plugins)
	})) {
		known, found := f.options.Plugins.Find(sort.finalizer, sort.resource.GroupKind().String())
		if asked++; asked > mostAsked {
			f.note(finding.Finding{
				Situation: "UninstallNotAllAsked", Details: finding.CheckedDetails{Asked: mostAsked},
			})
			return
		}
		if found {
			f.judge(ctx, sort, &known)
		} else {
			f.judge(ctx, sort, nil)
		}
	}
}

// ofKubernetes reports whether the control plane itself removes the finalizer.
func (g *guests) ofKubernetes(catalogue *plugins.Set) bool {
	known, found := catalogue.Find(g.finalizer, g.resource.GroupKind().String())
	return found && slices.Contains([]string{session.ControllerManager, session.APIServer}, known.RemovedBy)
}

// sorts are the finalizers on kinds that are not known to be the operator's, the most frequent first.
func (f *finder) sorts() []*guests {
	known := map[string]*guests{}
	var sorts []*guests
	for _, object := range f.survey.objects {
		if f.servedKind(object.Resource) != nil {
			continue
		}
		for _, name := range object.Meta.Finalizers {
			sort := &guests{resource: object.Resource, finalizer: name}
			if known[sort.key()] == nil {
				known[sort.key()] = sort
				sorts = append(sorts, sort)
			}
			known[sort.key()].objects = append(known[sort.key()].objects, object)
		}
	}
	slices.SortStableFunc(sorts, func(a, b *guests) int { return cmp.Compare(len(b.objects), len(a.objects)) })
	return sorts
}

// judge finds out whether the operator removes a finalizer. On a kind of its own group, that kind is the operator's as
// well.
func (f *finder) judge(ctx context.Context, sort *guests, known *plugins.Finalizer) {
	ours, others := f.controls(ctx, sort, known)
	if !ours && (others || !f.servesGroup(sort)) {
		return
	}
	custom, domain := !cluster.ServedByKubernetes(sort.resource.Group), naming.Domain(sort.finalizer)
	if ours && custom && naming.RelationOf(domain, sort.resource.Group) != naming.Unrelated && !f.isOthers(sort.resource) {
		if definition := f.definitionOf(sort.resource); definition != nil && f.parts.add(definition) {
			f.addServed(ctx, definition)
			f.addByRights(ctx) // further kinds of its group
		}
		return
	}
	if f.servedKind(sort.resource) == nil {
		if known != nil {
			sort.loses = known.Loses
		}
		f.guests[sort.key()] = sort
	}
}

// isOthers reports whether a definition says that another release installed it than the operator's.
func (f *finder) isOthers(resource cluster.Resource) bool {
	definition := f.definitionOf(resource)
	if definition == nil {
		return false
	}
	its := releasesOf(definition)
	return len(its) > 0 && !slices.ContainsFunc(f.parts.objects, func(part *session.Object) bool {
		return slices.ContainsFunc(releasesOf(part), func(one release) bool { return slices.Contains(its, one) })
	})
}

// servesGroup reports whether a finalizer's domain is one of the operator's API groups, or, on a kind of Kubernetes'
// own, below one.
func (f *finder) servesGroup(sort *guests) bool {
	domain := naming.Domain(sort.finalizer)
	return domain != "" && slices.ContainsFunc(f.served, func(one *served) bool {
		below := cluster.ServedByKubernetes(sort.resource.Group) && strings.HasSuffix(domain, "."+one.resource.Group)
		return domain == one.resource.Group || below
	})
}

// addByRights adds the definitions whose objects only the operator's accounts may change, by rules that name them, if
// these rules are those of a controller, or the operator has another kind of the same group.
func (f *finder) addByRights(ctx context.Context) {
	if len(f.accounts) == 0 {
		return
	}
	for _, resource := range f.tools.Session.ServedKinds(ctx).Listable(false) {
		definition := f.definitionOf(resource)
		if definition == nil || f.parts.has(definition) || !f.reconciles(resource) || f.isOthers(resource) {
			continue
		}
		writers, err := f.tools.Attribution.Writers(ctx, resource)
		if err != nil {
			return // the session remembers it
		}
		foreign := func(writer attribution.Writer) bool {
			return !slices.ContainsFunc(f.accounts, func(account finding.Ref) bool { return account.SameAs(writer.Account) })
		}
		if len(writers) > 0 && !slices.ContainsFunc(writers, foreign) {
			f.parts.add(definition)
			f.addServed(ctx, definition)
		}
	}
}

// reconciles reports whether the operator has a kind of the same group, or the rights of a kind's controller: to all it
// has, to its status, or to its finalizers.
func (f *finder) reconciles(resource cluster.Resource) bool {
	if slices.ContainsFunc(f.served, func(one *served) bool { return one.resource.Group == resource.Group }) {
		return true
	}
	names := []string{"*", resource.Resource + "/status", resource.Resource + "/finalizers", "*/status"}
	return slices.ContainsFunc(f.rules, func(rule rbacv1.PolicyRule) bool {
		named := slices.ContainsFunc(rule.Resources, func(name string) bool { return slices.Contains(names, name) }) ||
			slices.Contains(rule.Resources, resource.Resource) && slices.Contains(rule.Verbs, rbacv1.VerbAll)
		return named && slices.Contains(rule.APIGroups, resource.Group)
	})
}

func (f *finder) definitionOf(resource cluster.Resource) *session.Object {
	return f.survey.find(session.Target{
		Resource: cluster.CustomResourceDefinitions(), Name: resource.QualifiedName(),
	})
}

// addServed adds a kind by its definition, whose name is that of the resource (k8s v1.37
// apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go:ValidateCustomResourceDefinition).
func (f *finder) addServed(ctx context.Context, definition *session.Object) {
	one := &served{definition: definition}
	one.resource, one.isServed = f.tools.Session.ServedKinds(ctx).Find(schema.ParseGroupResource(definition.Ref.Name))
	if !one.isServed {
		one.resource.Resource, one.resource.Group, _ = strings.Cut(definition.Ref.Name, ".")
	}
	one.objects = f.survey.ofKind[definition.Ref.Name]
	f.served = append(f.served, one)
	slices.SortFunc(f.served, func(a, b *served) int {
		return cmp.Compare(a.resource.QualifiedName(), b.resource.QualifiedName())
	})
}

func (f *finder) servedKind(resource cluster.Resource) *served {
	for _, one := range f.served {
		if one.resource.GroupResource() == resource.GroupResource() {
			return one
		}
	}
	return nil
}

// definesKind reports whether a definition of a name, PLURAL.GROUP, defines a kind as the catalogue has it, KIND.GROUP
// with globs.
func definesKind(name, kind string) bool {
	plural, group, _ := strings.Cut(name, ".")
	known, text, custom := strings.Cut(kind, ".")
	if !custom || cluster.ServedByKubernetes(text) || !plugins.Match(text, group) {
		return false
	}
	singular := strings.ToLower(known)
	return plugins.Match(singular, plural) || plural == singular+"s" || plural == singular+"es" ||
		plural == strings.TrimSuffix(singular, "y")+"ies"
}
