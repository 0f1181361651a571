package zoo_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// roles are the manifests that are offered to administrators.
const roles = "../../docs/rbac/"

// readerRules returns the rights of docs/rbac/reader.yaml and reader-secrets.yaml, and the right to read the kinds that
// the scenarios bring, as custom-resources.yaml advises.
func readerRules(t *testing.T, scenarios []zoo.Scenario) []rbacv1.PolicyRule {
	t.Helper()
	rules := slices.Concat(rulesIn(t, "reader.yaml"), rulesIn(t, "reader-secrets.yaml"))
	if groups := groupsOf(t, scenarios); len(groups) > 0 {
		rules = append(rules, rbacv1.PolicyRule{APIGroups: groups, Resources: []string{"*"}, Verbs: []string{"get", "list"}})
	}
	return rules
}

// document is what matters here of any object.
type document struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Rules             []rbacv1.PolicyRule `json:"rules"`
	Spec              struct {
		Group string `json:"group"`
	} `json:"spec"`
}

func documents(t *testing.T, data []byte) []document {
	t.Helper()
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for all := []document{}; ; {
		var one document
		err := decoder.Decode(&one)
		switch {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

func rulesIn(t *testing.T, file string) []rbacv1.PolicyRule {
	t.Helper()
	data, err := os.ReadFile(roles + file)
	if err != nil {
		t.Fatal(err)
	}
	var rules []rbacv1.PolicyRule
	for _, one := range documents(t, data) {
		rules = append(rules, one.Rules...)
	}
	return rules
}

// groupsOf returns the API groups that the scenarios add to the cluster.
func groupsOf(t *testing.T, scenarios []zoo.Scenario) []string {
	t.Helper()
	var groups []string
	for _, scenario := range scenarios {
		for _, step := range scenario.Steps {
			// A placeholder may stand where YAML wants something else; CustomResourceDefinitions have none.
			if !strings.Contains(step.Apply, "kind: CustomResourceDefinition") && !strings.Contains(step.Apply,
				"kind: APIService") {
				continue
			}
			for _, one := range documents(t, []byte(step.Apply)) {
				if one.Spec.Group != "" {
					groups = append(groups, one.Spec.Group)
				}
			}
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// askAsReader holds the role in docs/rbac to its promise: who has it, and nothing else, is told what an
// administrator is told. A probe is no read, and the role doesn't allow one. A proxy plays it; TestRoles holds the role
// itself to what the API server allows by it.
func (k *keeper) askAsReader(t *testing.T, question zoo.Question, full *result.Diagnosis, now *moment) {
	t.Helper()
	if slices.Contains(question.Args, "--probe") {
		return
	}
	got := k.within(t, now, mayRead(k.everywhere)).ask(t.Context(), question, "json")
	if full.Verdict == result.Progressing && got.isGone() {
		return
	}
	for _, problem := range judgeReader(full, got.diagnosis(t)) {
		t.Errorf("with the role in docs/rbac/reader.yaml: %s\n%s%s", problem, summaryOf(got), got.errOut)
	}
}

func judgeReader(full, got *result.Diagnosis) (problems []string) {
	if got.Verdict != full.Verdict {
		problems = append(problems, fmt.Sprintf("the verdict is %s, and %s with all rights", got.Verdict, full.Verdict))
	}
	if want, causes := causesOf(full), causesOf(got); !slices.Equal(want, causes) {
		problems = append(problems, fmt.Sprintf("the causes are %v, and %v with all rights", causes, want))
	}
	for _, unreadable := range got.Unreadable {
		known := slices.ContainsFunc(full.Unreadable,
			func(other finding.Unreadable) bool { return other.Resource == unreadable.Resource })
		if !known {
			problems = append(problems, fmt.Sprintf("%s could not be read: %s", unreadable.Resource, unreadable.Error))
		}
	}
	return problems
}
