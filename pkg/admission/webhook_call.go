package admission

import (
	"context"
	"slices"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Hook is one webhook of a configuration, validating or mutating.
type Hook struct {
	Mutating bool
	v1.ValidatingWebhook
}

// ValidatingHooks returns the webhooks of a configuration.
func ValidatingHooks(configuration *v1.ValidatingWebhookConfiguration) []Hook {
	hooks := make([]Hook, len(configuration.Webhooks))
	for i, webhook := range configuration.Webhooks {
		hooks[i].ValidatingWebhook = webhook
	}
	return hooks
}

// MutatingHooks returns the webhooks of a configuration.
func MutatingHooks(configuration *v1.MutatingWebhookConfiguration) []Hook {
	hooks := make([]Hook, len(configuration.Webhooks))
	for i, webhook := range configuration.Webhooks {
		hooks[i] = Hook{Mutating: true, ValidatingWebhook: v1.ValidatingWebhook{
			Name: webhook.Name, ClientConfig: webhook.ClientConfig, Rules: webhook.Rules,
			FailurePolicy: webhook.FailurePolicy, MatchPolicy: webhook.MatchPolicy,
			MatchConditions:   webhook.MatchConditions,
			NamespaceSelector: webhook.NamespaceSelector, ObjectSelector: webhook.ObjectSelector,
		}}
	}
	return hooks
}

// FailsClosed reports whether a request is refused when the webhook can't be called, which is the default.
func (h *Hook) FailsClosed() bool { return FailsClosed(h.FailurePolicy) }

// Called is what becomes of a request at one webhook.
type Called struct {
	Match Match // whether the webhook is called
	// Refused says why the request fails without a call: a selector's namespace is gone, or a condition has no value.
	Refused string
	Lost    bool // the namespace is what is missing
	Costly  bool // the match is Maybe because the conditions take more than the API server allows
}

// Calls reports whether the API server calls a webhook about a request (k8s v1.37
// apiserver/pkg/admission/plugin/webhook/generic/webhook.go:ShouldCallHook).
func (e *Evaluator) Calls(ctx context.Context, hook *Hook, request *Request) Called {
	if request.noWebhook() {
		return Called{}
	}
	match, lost := matches(&v1.MatchResources{
		ResourceRules: hook.named(), MatchPolicy: hook.MatchPolicy,
		NamespaceSelector: hook.NamespaceSelector, ObjectSelector: hook.ObjectSelector,
	}, false, request)
	if match == No {
		return Called{}
	}
	if lost {
		why := "its namespaceSelector needs the namespace " + request.Namespace + ", which no longer exists"
		return Called{Match: Yes, Lost: true, Refused: why}
	}
	all := e.evaluation(ctx, request, nil)
	met, failure := all.conditions(hook.MatchConditions, hook.FailsClosed())
	if failure != "" && match == Yes {
		return Called{Match: Yes, Refused: failure}
	}
	return Called{Match: match.and(met), Costly: met == Maybe && all.costly()}
}

// named are the webhook's rules as a policy would have them.
func (h *Hook) named() []v1.NamedRuleWithOperations {
	rules := make([]v1.NamedRuleWithOperations, len(h.Rules))
	for i, rule := range h.Rules {
		rules[i].RuleWithOperations = rule
	}
	return rules
}

// About reports whether a webhook may be called about a request by its rules alone, in whatever version that is sent:
// its selectors and conditions are left aside.
func (h *Hook) About(request *Request) bool {
	return !request.noWebhook() && anyRule(h.named(), h.MatchPolicy, request) != No
}

// AsksObject reports whether it depends on the object of a request that the webhook is called.
func (h *Hook) AsksObject() bool {
	return len(h.MatchConditions) > 0 || selects(h.ObjectSelector) != Yes
}

// AsksNamespace reports whether it depends on the labels of a request's namespace that the webhook is called.
func (h *Hook) AsksNamespace() bool { return selects(h.NamespaceSelector) != Yes }

// Names reports whether a webhook's rules alone are about an operation on a resource, whatever the object.
func (h *Hook) Names(operation v1.OperationType, resource schema.GroupVersionResource) bool {
	request := &Request{Operation: operation, Resource: resource, Namespace: "any"}
	return slices.ContainsFunc(h.Rules, func(r v1.RuleWithOperations) bool { return ruleMatches(r, resource, request) })
}

// AsksWho reports whether it depends on who sends a request that the webhook is called.
func (h *Hook) AsksWho() bool {
	return slices.ContainsFunc(h.MatchConditions, func(c v1.MatchCondition) bool { return asksWho(c.Expression) })
}

// Evaluates reports whether an expression is among the webhook's match conditions.
func (h *Hook) Evaluates(expression string) bool {
	return slices.ContainsFunc(h.MatchConditions, func(c v1.MatchCondition) bool { return c.Expression == expression })
}
