package admission

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// criteria is what webhooks and policies share: which requests they are about.
type criteria struct {
	rules              []admissionregistrationv1.NamedRuleWithOperations
	exclude            []admissionregistrationv1.NamedRuleWithOperations
	policy             *admissionregistrationv1.MatchPolicyType
	namespaces         *metav1.LabelSelector
	objects            *metav1.LabelSelector
	withoutRulesAlways bool // no rules match everything, as in a policy's binding
}

// matches tells whether a request meets the criteria, in the order in which the API server asks (k8s v1.37
// apiserver/pkg/admission/plugin/policy/matching:Matches, and webhook/generic/webhook.go:ShouldCallHook). lost says
// that the request fails whatever is decided, because its namespace can't be found.
func (c criteria) matches(request *Request) (match Match, lost bool) {
	namespaces, lost := selectsNamespace(c.namespaces, request)
	match = namespaces.and(selectsObject(c.objects, request))
	if match == No {
		return No, false
	}
	excluded := anyRule(c.exclude, c.policy, request)
	if excluded == Yes {
		return No, false
	}
	if excluded == Maybe {
		match = Maybe
	}
	if len(c.rules) > 0 || !c.withoutRulesAlways {
		match = match.and(anyRule(c.rules, c.policy, request))
	}
	return match, lost && match == Yes
}

// selectsNamespace applies a namespaceSelector. Objects without a namespace are always selected, but for Namespaces
// themselves (k8s v1.37 apiserver/pkg/admission/plugin/webhook/predicates/namespace:MatchNamespaceSelector).
func selectsNamespace(selector *metav1.LabelSelector, request *Request) (match Match, lost bool) {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	switch {
	case selector == nil || err == nil && parsed.Empty():
		return Yes, false
	case err != nil:
		return Maybe, false
	case request.isNamespace():
		return selects(parsed, request.newest()), false
	case request.Namespace == "":
		return Yes, false
	case request.Within == nil || !request.Within.Absent && request.Within.Content == nil:
		return Maybe, false
	case request.Within.Absent:
		return Yes, true
	}
	return selects(parsed, request.Within.Content), false
}

// newest is the object after the request, or before it where it leaves none.
func (r *Request) newest() *Content {
	if r.Object != nil {
		return r.Object
	}
	return r.OldObject
}

// selectsObject applies an objectSelector: the old or the new object must match.
func selectsObject(selector *metav1.LabelSelector, request *Request) Match {
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	switch {
	case selector == nil || err == nil && parsed.Empty():
		return Yes
	case err != nil:
		return Maybe
	}
	return max(selects(parsed, request.Object), selects(parsed, request.OldObject))
}

func selects(selector labels.Selector, object *Content) Match {
	if object != nil && selector.Matches(labels.Set(object.labels())) {
		return Yes
	}
	return No
}

// anyRule tells whether one of several rules is about a request. With match policy Equivalent, a rule
// for another version of the resource counts too; webhooks and policies have that by default.
func anyRule(
	rules []admissionregistrationv1.NamedRuleWithOperations, policy *admissionregistrationv1.MatchPolicyType,
	request *Request,
) Match {
	about := func(resource schema.GroupVersionResource) bool {
		return slices.ContainsFunc(rules, func(rule admissionregistrationv1.NamedRuleWithOperations) bool {
			named := len(rule.ResourceNames) == 0 || slices.Contains(rule.ResourceNames, request.Name)
			return named && ruleMatches(rule.RuleWithOperations, resource, request)
		})
	}
	exact := about(request.Resource)
	other := slices.ContainsFunc(request.Equivalents, about)
	switch equivalent := policy == nil || *policy == admissionregistrationv1.Equivalent; {
	case exact && (equivalent || !request.VersionUnknown), equivalent && other:
		return Yes
	case exact, other && request.VersionUnknown:
		return Maybe // which version the request is sent in decides
	}
	return No
}

// ruleMatches is k8s v1.37 apiserver/pkg/admission/plugin/webhook/predicates/rules:Matches.
func ruleMatches(
	rule admissionregistrationv1.RuleWithOperations, resource schema.GroupVersionResource, request *Request,
) bool {
	return scopeMatches(rule.Scope, request) &&
		(slices.Contains(rule.Operations, admissionregistrationv1.OperationAll) || slices.Contains(rule.Operations, request.Operation)) &&
		exactOrAny(rule.APIGroups, resource.Group) && exactOrAny(rule.APIVersions, resource.Version) &&
		slices.ContainsFunc(rule.Resources, func(named string) bool {
			name, subresource, _ := strings.Cut(named, "/")
			return (name == "*" || name == resource.Resource) && (subresource == "*" || subresource == request.Subresource)
		})
}

func scopeMatches(scope *admissionregistrationv1.ScopeType, request *Request) bool {
	clusterScoped := request.Namespace == "" || request.isNamespace()
	switch {
	case scope == nil || *scope == admissionregistrationv1.AllScopes:
		return true
	case *scope == admissionregistrationv1.ClusterScope:
		return clusterScoped
	}
	return *scope == admissionregistrationv1.NamespacedScope && !clusterScoped
}

func exactOrAny(items []string, wanted string) bool {
	return slices.Contains(items, "*") || slices.Contains(items, wanted)
}
