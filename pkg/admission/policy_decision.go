package admission

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/cel-go/common/types"
	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Policy is a ValidatingAdmissionPolicy with one of its bindings and one of its parameters.
type Policy struct {
	Policy       *v1.ValidatingAdmissionPolicy
	Binding      *v1.ValidatingAdmissionPolicyBinding
	Param        *Content // nil where the policy has no parameters
	ParamUnknown bool     // there is a parameter which could not be read
	ParamMissing string   // which parameter the API server can't find, where that counts as a failure
	ParamName    string   // what that is called, where the binding names it
}

// Decision is what a policy makes of a request.
type Decision struct {
	Denies  Match  // Maybe where something that isn't known decides
	Message string // what the policy would answer
	Lacks   string // the parameter that the API server can't find, where the binding names it
	Failed  bool   // the policy refuses because it can't be evaluated, and not because of what it says
	Costly  bool   // it is Maybe because its expressions take more than the API server allows
}

// Concern is whether a policy is about a request.
type Concern struct {
	Match Match
	// Lost says that the request is refused whatever the policy says, with failure policy Fail: the
	// namespace that a selector is about is gone. That goes even for a binding that only warns (k8s
	// v1.37 apiserver/pkg/admission/plugin/policy/validating/dispatcher.go:addConfigError).
	Lost bool
	// Mild says that the binding only warns or audits: what the policy says of a request refuses nothing. What keeps
	// the policy from being asked does all the same (addConfigError, and the audit annotations of the same place).
	Mild bool
}

// Concerns reports whether a policy with a binding is about a request, parameters and match conditions left aside (k8s
// v1.37 apiserver/pkg/admission/plugin/policy/generic/policy_matcher.go).
func Concerns(
	policy *v1.ValidatingAdmissionPolicy, binding *v1.ValidatingAdmissionPolicyBinding, request *Request,
) Concern {
	concern := concerns(policy.Spec.MatchConstraints, binding.Spec.MatchResources, request)
	concern.Mild = !slices.Contains(binding.Spec.ValidationActions, v1.Deny)
	if concern.Mild && !concern.Lost && !mayFail(policy, binding) {
		if concern.Match == Maybe && request.Within == nil {
			return concern // whether the namespace is there isn't known yet
		}
		return Concern{}
	}
	concern.Lost = concern.Lost && FailsClosed(policy.Spec.FailurePolicy)
	return concern
}

// MayDeny reports whether a policy may refuse requests with a binding.
func MayDeny(policy *v1.ValidatingAdmissionPolicy, binding *v1.ValidatingAdmissionPolicyBinding) bool {
	return slices.Contains(binding.Spec.ValidationActions, v1.Deny) || mayFail(policy, binding)
}

// mayFail reports whether a policy may refuse requests without regard to what its binding does with violations.
func mayFail(policy *v1.ValidatingAdmissionPolicy, binding *v1.ValidatingAdmissionPolicyBinding) bool {
	parameters := policy.Spec.ParamKind != nil && binding.Spec.ParamRef != nil
	return FailsClosed(policy.Spec.FailurePolicy) && (parameters || len(policy.Spec.AuditAnnotations) > 0)
}

// Names reports whether a policy's rules alone are about an operation on a resource, whatever the object.
func Names(
	policy *v1.ValidatingAdmissionPolicy, operation v1.OperationType, resource schema.GroupVersionResource,
) bool {
	if policy.Spec.MatchConstraints == nil {
		return false
	}
	request := &Request{Operation: operation, Resource: resource, Namespace: "any"}
	return slices.ContainsFunc(policy.Spec.MatchConstraints.ResourceRules, func(rule v1.NamedRuleWithOperations) bool {
		return ruleMatches(rule.RuleWithOperations, resource, request)
	})
}

// InScope reports whether a policy is about a request, its bindings left aside. One that is not configured as it has to
// be refuses all of that (k8s v1.37 apiserver/pkg/admission/plugin/policy/validating/dispatcher.go:Dispatch).
func InScope(policy *v1.ValidatingAdmissionPolicy, request *Request) Match {
	if !FailsClosed(policy.Spec.FailurePolicy) {
		return No
	}
	return concerns(policy.Spec.MatchConstraints, nil, request).Match
}

// ConcernsMutating is Concerns for a MutatingAdmissionPolicy.
func ConcernsMutating(
	policy *v1.MutatingAdmissionPolicy, binding *v1.MutatingAdmissionPolicyBinding, request *Request,
) Concern {
	concern := concerns(policy.Spec.MatchConstraints, binding.Spec.MatchResources, request)
	concern.Lost = concern.Lost && FailsClosed(policy.Spec.FailurePolicy)
	return concern
}

func concerns(constraints, narrowed *v1.MatchResources, request *Request) Concern {
	if request.noPolicy() || constraints == nil {
		return Concern{}
	}
	match, lost := matches(constraints, false, request)
	if narrowed == nil || match == No || lost {
		return Concern{Match: match, Lost: lost}
	}
	also, lost := matches(narrowed, len(narrowed.ResourceRules) == 0, request)
	return Concern{Match: match.and(also), Lost: lost && match == Yes}
}

// FailsClosed reports whether what can't be decided is refused, which is the default.
func FailsClosed(policy *v1.FailurePolicyType) bool { return policy == nil || *policy == v1.Fail }

// Decides reports whether a policy refuses a request (k8s v1.37
// apiserver/pkg/admission/plugin/policy/validating/{dispatcher,validator}.go).
func (e *Evaluator) Decides(ctx context.Context, policy Policy, request *Request) Decision {
	concern, spec := Concerns(policy.Policy, policy.Binding, request), policy.Policy.Spec
	match, failsClosed := concern.Match, FailsClosed(spec.FailurePolicy)
	switch {
	case match == No, policy.ParamMissing != "" && !failsClosed:
		return Decision{}
	case concern.Lost:
		why := "a namespaceSelector needs the namespace " + request.Namespace + ", which no longer exists"
		return Decision{Denies: Yes, Failed: true, Message: why}
	case policy.ParamMissing != "": // told before expressions (policy/generic/policy_dispatcher.go:CollectParams)
		return Decision{Denies: match, Failed: true, Message: policy.ParamMissing, Lacks: policy.ParamName}
	}
	all := e.evaluation(ctx, request, &bindings{
		param: policy.Param, paramUnknown: policy.ParamUnknown, hasParam: spec.ParamKind != nil, variables: spec.Variables,
	})
	met, failure := all.conditions(spec.MatchConditions, failsClosed)
	switch {
	case met == No, failure != "" && concern.Mild:
		return Decision{}
	case failure != "":
		return Decision{Denies: match, Message: failure, Failed: true}
	}
	decision := Decision{}
	if !concern.Mild {
		decision = all.validate(spec.Validations, failsClosed)
	}
	if failed := all.annotate(spec.AuditAnnotations, failsClosed); failed.Denies > decision.Denies {
		decision = failed
	}
	decision.Denies = decision.Denies.and(match.and(met))
	decision.Costly = decision.Denies == Maybe && all.costly()
	return decision
}

// validate evaluates all validations; the strongest refusal counts.
func (e *evaluation) validate(all []v1.Validation, failsClosed bool) Decision {
	decision := Decision{}
	e.allow(celconfig.RuntimeCELCostBudget)
	for _, validation := range all {
		holds, failure := e.boolean(validation.Expression)
		said := Decision{Denies: holds.not()}
		switch {
		case failure != "" && failsClosed:
			said = Decision{Denies: Yes, Failed: true, Message: "its expression can't be evaluated: " + failure}
		case failure != "":
			continue
		case holds == No:
			said.Message = e.message(validation)
		}
		if said.Denies > decision.Denies {
			decision = said
		}
	}
	return decision
}

// annotate evaluates what a policy writes into the audit log: where that fails, the request is refused. What stays
// unknown when all has been read that can be counts for nothing: such expressions rarely fail.
func (e *evaluation) annotate(all []v1.AuditAnnotation, failsClosed bool) Decision {
	decision := Decision{}
	e.allow(celconfig.RuntimeCELCostBudget)
	if !failsClosed {
		return decision
	}
	for _, annotation := range all {
		_, known, err := e.evaluate(annotation.ValueExpression)
		switch {
		case known && err != nil:
			why := "its audit annotation \"" + annotation.Key + "\" can't be evaluated: " + err.Error()
			return Decision{Denies: Yes, Failed: true, Message: why}
		case !known && (e.costly() || e.request.Namespace != "" && e.request.Within == nil):
			decision.Denies = Maybe
		}
	}
	return decision
}

// message is what the API server answers for a failed validation.
func (e *evaluation) message(validation v1.Validation) string {
	if validation.MessageExpression != "" {
		value, known, err := e.evaluate(validation.MessageExpression)
		if text, is := value.(types.String); is && known && err == nil {
			return string(text)
		}
	}
	return cmp.Or(validation.Message, "failed expression: "+validation.Expression)
}

// Applies reports whether the match conditions of a MutatingAdmissionPolicy let it change a request. One that can't be
// evaluated may refuse it.
func (e *Evaluator) Applies(ctx context.Context, policy *v1.MutatingAdmissionPolicy, request *Request) Match {
	spec := policy.Spec
	bound := &bindings{hasParam: spec.ParamKind != nil, paramUnknown: spec.ParamKind != nil, variables: spec.Variables}
	met, _ := e.evaluation(ctx, request, bound).conditions(spec.MatchConditions, FailsClosed(spec.FailurePolicy))
	return met
}
