package admission_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

// policyOf is a policy about everything, with variables v0, v1, …: the first one as given, the others made of the one
// before, which stands for %[1]s.
func policyOf(count int, first, next, validation string) admission.Policy {
	spec := admissionregistrationv1.ValidatingAdmissionPolicySpec{
		MatchConstraints: &admissionregistrationv1.MatchResources{
			ResourceRules: []admissionregistrationv1.NamedRuleWithOperations{{
				RuleWithOperations: admissionregistrationv1.RuleWithOperations{
					Operations: []admissionregistrationv1.OperationType{"*"},
					Rule: admissionregistrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
						Resources: []string{"*"}},
				},
			}}},
		Validations: []admissionregistrationv1.Validation{{Expression: validation, Message: "refused"}},
	}
	for i := range count {
		expression := first
		if i > 0 {
			expression = fmt.Sprintf(next, fmt.Sprintf("variables.v%d", i-1))
		}
		variable := admissionregistrationv1.Variable{Name: fmt.Sprintf("v%d", i), Expression: expression}
		spec.Variables = append(spec.Variables, variable)
	}
	return admission.Policy{
		Policy: &admissionregistrationv1.ValidatingAdmissionPolicy{Spec: spec},
		Binding: &admissionregistrationv1.ValidatingAdmissionPolicyBinding{
			Spec: admissionregistrationv1.ValidatingAdmissionPolicyBindingSpec{
				ValidationActions: []admissionregistrationv1.ValidationAction{admissionregistrationv1.Deny},
			}},
	}
}

// soon fails the test where something takes much longer than it may, on a busy machine too.
func soon(t *testing.T, do func()) {
	t.Helper()
	const most = time.Minute
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(most):
		t.Fatalf("it is not done after %s", most)
	}
}

// TestManyVariables has policies that are cheap if each variable is evaluated once, and never end otherwise; and some
// that cost more than the API server allows, whose result is not known.
func TestManyVariables(t *testing.T) {
	ten := "[" + strings.Repeat("1,", 9) + "1]"
	loops := strings.Repeat(ten+".all(x, ", 8) + "x > 0" + strings.Repeat(")", 8)
	for name, c := range map[string]struct {
		policy admission.Policy
		want   admission.Match
		costly bool
	}{
		"that use one another":      {policyOf(60, "1", "%[1]s + %[1]s", "variables.v59 < 0"), admission.Yes, false},
		"that use one another, met": {policyOf(60, "true", "%[1]s && %[1]s", "variables.v59"), admission.No, false},
		"that fail": {policyOf(60, "object.spec.colour", "%[1]s + %[1]s", "variables.v59 == 'red'"),
			admission.Yes, false},
		"that aren't known": {policyOf(60, "request.userInfo.username", "%[1]s + %[1]s", "variables.v59 == 'x'"),
			admission.Maybe, false},
		"that cost much, unused": {policyOf(60, loops, "%[1]s && %[1]s", "false"), admission.Yes, false},
		"that cost much":         {policyOf(2, loops, "%[1]s && %[1]s", "variables.v1"), admission.Maybe, true},
		"that cost much together": {policyOf(60, "'0123456789'", "%[1]s + %[1]s", "variables.v59 == ''"), admission.Maybe,
			true},
		"that grow by replacement": {policyOf(9, "'aaaa'", "%[1]s.replace('a', 'aaaaaaaaaaaaaaaa')", "variables.v8 == ''"),
			admission.Maybe, true},
		"of which some fail at first": {policyOf(2, loops, "%[1]s && %[1]s", "object.spec.size > 5 && variables.v1"),
			admission.Yes, false},
	} {
		t.Run(name, func(t *testing.T) {
			soon(t, func() {
				got := admission.NewEvaluator().Decides(t.Context(), c.policy, update())
				if got.Denies != c.want || got.Costly != c.costly {
					t.Errorf("got %+v, want denies %d, costly %t", got, c.want, c.costly)
				}
			})
		})
	}
}

// TestCostlyConditions are of a webhook: whether it is called isn't known.
func TestCostlyConditions(t *testing.T) {
	hook := admission.Hook{ValidatingWebhook: admissionregistrationv1.ValidatingWebhook{
		Rules: []admissionregistrationv1.RuleWithOperations{{
			Operations: []admissionregistrationv1.OperationType{"*"},
			Rule: admissionregistrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: []string{"*"}},
		}},
	}}
	ten := "[" + strings.Repeat("1,", 9) + "1]"
	// each within what one expression may cost, and not together
	for _, text := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		hook.MatchConditions = append(hook.MatchConditions, admissionregistrationv1.MatchCondition{
			Name: text, Expression: strings.Repeat(ten+".all(x, ", 5) + fmt.Sprintf("'%s' != ''", text) + strings.Repeat(")", 5),
		})
	}
	soon(t, func() {
		if got := admission.NewEvaluator().Calls(t.Context(), &hook, update()); got.Match != admission.Maybe || !got.Costly {
			t.Errorf("got %+v", got)
		}
	})
	hook.MatchConditions = hook.MatchConditions[:1]
	if got := admission.NewEvaluator().Calls(t.Context(), &hook, update()); got.Match != admission.Yes || got.Costly {
		t.Errorf("one condition: got %+v", got)
	}
}

// TestInterrupted ends the context under expressions that take for ever: a comparison of lists that hold one another,
// whose cost the API server counts too late as well.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	soon(t, func() {
		policy := policyOf(34, "['a']", "[%[1]s, %[1]s]", "variables.v33 == [variables.v32, variables.v32]")
		if got := admission.NewEvaluator().Decides(ctx, policy, update()); got.Denies != admission.Maybe {
			t.Errorf("got %+v", got)
		}
	})
}
