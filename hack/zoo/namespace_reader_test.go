package zoo_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// namespaceRules returns the rights of docs/rbac/namespace-reader.yaml, and the right to read the kinds that the
// scenarios bring.
func namespaceRules(t *testing.T, scenarios []zoo.Scenario) []rbacv1.PolicyRule {
	t.Helper()
	custom := rbacv1.PolicyRule{APIGroups: groupsOf(t, scenarios), Resources: []string{"*"},
		Verbs: []string{"get", "list"}}
	return append(rulesIn(t, "namespace-reader.yaml"), custom)
}

// askAsNamespaceReader asks as a user who may read one namespace, with the role in docs/rbac, and nothing else. The
// answer may say less, but never something different. A proxy plays it: a role in the namespace would be content of it,
// and can't be made where the namespace is Terminating.
func (k *keeper) askAsNamespaceReader(
	t *testing.T, question zoo.Question, full *result.Diagnosis, now *moment,
) {
	t.Helper()
	namespace := namespaceIn(full)
	if namespace == "" || slices.Contains(question.Args, "--probe") {
		return
	}
	within := k.within(t, now, func(r *http.Request, needed controlplane.Permission) bool {
		return strings.Contains(r.URL.Path+"/", "/namespaces/"+namespace+"/") && allowed(k.inNamespace, needed)
	})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got := within.ask(ctx, question, "json")
	anything := lack{named: func(string) bool { return true }}
	for _, problem := range judgeLesser(full, got, anything, within.met, false) {
		t.Errorf("with the role in docs/rbac/namespace-reader.yaml: %s\n%s%s", problem, summaryOf(got), got.errOut)
	}
}

// namespaceIn returns the namespace of the target, or which it is.
func namespaceIn(diagnosis *result.Diagnosis) string {
	if diagnosis.Target.Kind == "Namespace" {
		return diagnosis.Target.Name
	}
	return diagnosis.Target.Namespace
}

func allowed(rules []rbacv1.PolicyRule, needed controlplane.Permission) bool {
	return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
		return slices.Contains(rule.Verbs, needed.Verb) && slices.Contains(rule.APIGroups, needed.Group) &&
			(slices.Contains(rule.Resources, needed.Resource) || slices.Contains(rule.Resources, "*"))
	})
}
