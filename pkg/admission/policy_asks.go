package admission

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
)

// AsksWho reports whether it depends on who sends a request what the policy makes of it.
func AsksWho(policy *v1.ValidatingAdmissionPolicy) bool {
	return slices.ContainsFunc(expressionsOf(policy), asksWho)
}

// AsksObject reports whether it depends on the object, beyond its kind and namespace, what the policy makes of a
// request with a binding. It may take one for such that doesn't.
func AsksObject(policy *v1.ValidatingAdmissionPolicy, binding *v1.ValidatingAdmissionPolicyBinding) bool {
	selective := func(resources *v1.MatchResources) bool {
		named := func(rule v1.NamedRuleWithOperations) bool { return len(rule.ResourceNames) > 0 }
		return resources != nil && (selects(resources.ObjectSelector) != Yes ||
			slices.ContainsFunc(resources.ResourceRules, named) ||
			slices.ContainsFunc(resources.ExcludeResourceRules, named))
	}
	return selective(policy.Spec.MatchConstraints) || selective(binding.Spec.MatchResources) ||
		slices.ContainsFunc(expressionsOf(policy), regexp.MustCompile(`\b(object|oldObject|request\.name)\b`).MatchString)
}

// AsksNamespace is AsksObject for the namespace of the object, beyond its name.
func AsksNamespace(policy *v1.ValidatingAdmissionPolicy, binding *v1.ValidatingAdmissionPolicyBinding) bool {
	selective := func(resources *v1.MatchResources) bool {
		return resources != nil && selects(resources.NamespaceSelector) != Yes
	}
	return selective(policy.Spec.MatchConstraints) || selective(binding.Spec.MatchResources) ||
		slices.ContainsFunc(expressionsOf(policy), regexp.MustCompile(`\bnamespaceObject\b`).MatchString)
}

// expressionsOf are the expressions that decide what a policy makes of a request.
func expressionsOf(policy *v1.ValidatingAdmissionPolicy) (all []string) {
	for _, condition := range policy.Spec.MatchConditions {
		all = append(all, condition.Expression)
	}
	for _, variable := range policy.Spec.Variables {
		all = append(all, variable.Expression)
	}
	for _, validation := range policy.Spec.Validations {
		all = append(all, validation.Expression)
	}
	for _, annotation := range policy.Spec.AuditAnnotations {
		all = append(all, annotation.ValueExpression)
	}
	return all
}

// asksWho reports whether an expression is about who sends the request. It may take one for such that isn't.
func asksWho(expression string) bool {
	return strings.Contains(expression, "userInfo") || strings.Contains(expression, "authorizer")
}
