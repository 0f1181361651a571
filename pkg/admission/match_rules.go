package admission

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// matches reports whether a request is among the ones that a webhook or a policy is about, in the order in which the
// API server asks (k8s v1.37 apiserver/pkg/admission/plugin/policy/matching:Matches, and
// webhook/generic/webhook.go:ShouldCallHook). lost says that the request fails whatever is decided, because its
// namespace can't be found. With anything, the rules are left aside.
func matches(resources *v1.MatchResources, anything bool, request *Request) (match Match, lost bool) {
	match, lost = selectsNamespace(resources.NamespaceSelector, request)
	match = match.and(selects(resources.ObjectSelector, request.Object, request.OldObject))
	match = match.and(anyRule(resources.ExcludeResourceRules, resources.MatchPolicy, request).not())
	if !anything {
		match = match.and(anyRule(resources.ResourceRules, resources.MatchPolicy, request))
	}
	return match, lost && match == Yes
}

// selectsNamespace applies a namespaceSelector. Objects without a namespace are always selected, but for Namespaces
// themselves (k8s v1.37 apiserver/pkg/admission/plugin/webhook/predicates/namespace:MatchNamespaceSelector).
func selectsNamespace(selector *metav1.LabelSelector, request *Request) (match Match, lost bool) {
	within := request.Within
	switch whatever := selects(selector); {
	case whatever != No:
		return whatever, false
	case request.isNamespace():
		return selects(selector, cmp.Or(request.Object, request.OldObject)), false
	case request.Namespace == "":
		return Yes, false
	case within == nil || !within.Absent && within.Content == nil:
		return Maybe, false
	case within.Absent:
		return Yes, true
	}
	return selects(selector, within.Content), false
}

// selects reports whether a selector selects one of some objects, which may be nil.
func selects(selector *metav1.LabelSelector, objects ...*Content) Match {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	switch {
	case selector == nil || err == nil && parsed.Empty():
		return Yes
	case err != nil:
		return Maybe
	case slices.ContainsFunc(objects, func(object *Content) bool {
		return object != nil && parsed.Matches(labels.Set(object.labels()))
	}):
		return Yes
	}
	return No
}

// anyRule reports whether one of several rules is about a request. With match policy Equivalent, a rule for another
// version of the resource counts too; webhooks and policies have that by default.
func anyRule(named []v1.NamedRuleWithOperations, policy *v1.MatchPolicyType, request *Request) Match {
	about := func(resource schema.GroupVersionResource) bool {
		return slices.ContainsFunc(named, func(rule v1.NamedRuleWithOperations) bool {
			byName := len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, request.Name)
			return byName && ruleMatches(rule.RuleWithOperations, resource, request)
		})
	}
	exact := about(request.Resource)
	other := slices.ContainsFunc(request.Equivalents, about)
	switch equivalent := policy == nil || *policy == v1.Equivalent; {
	case exact && (equivalent || !request.VersionUnknown), equivalent && other:
		return Yes
	case exact, other && request.VersionUnknown:
		return Maybe // which version the request is sent in decides
	}
	return No
}

// ruleMatches reports whether a rule is about a request, if that were sent for a resource (k8s v1.37
// apiserver/pkg/admission/plugin/webhook/predicates/rules:Matches).
func ruleMatches(rule v1.RuleWithOperations, resource schema.GroupVersionResource, request *Request) bool {
	operations := slices.Contains(rule.Operations, v1.OperationAll) ||
		slices.Contains(rule.Operations, request.Operation)
	of := resource.GroupResource()
	named := func(pattern string) bool {
		name, subresource, _ := strings.Cut(pattern, "/")
		return (name == "*" || name == of.Resource) && (subresource == "*" || subresource == request.Subresource)
	}
	return operations && inScope(rule.Scope, of, request.Namespace) && hasOrAny(rule.APIGroups, of.Group) &&
		hasOrAny(rule.APIVersions, resource.Version) && slices.ContainsFunc(rule.Resources, named)
}

// inScope reports whether a rule's scope has a request. A Namespace counts as an object without one, although requests
// for it name it as theirs.
func inScope(scope *v1.ScopeType, resource schema.GroupResource, namespace string) bool {
	cluster := namespace == "" || resource == schema.GroupResource{Resource: "namespaces"}
	switch {
	case scope == nil || *scope == v1.AllScopes:
		return true
	case *scope == v1.NamespacedScope:
		return !cluster
	}
	return *scope == v1.ClusterScope && cluster
}

func hasOrAny(items []string, asked string) bool {
	return slices.Contains(items, "*") || slices.Contains(items, asked)
}
