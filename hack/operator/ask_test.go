package operator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// asker asks about a cluster, or about a recording of one.
type asker struct {
	t     *testing.T
	from  []string // the flags that say where
	shows bool     // logs the answers for people
}

// ask asks all that a scenario knows the answer of.
func (a asker) ask(scenario operator.Scenario) {
	a.t.Helper()
	for _, question := range scenario.Targets {
		a.why(question)
	}
	a.list(scenario)
	if !scenario.AnyCheck {
		a.check(scenario)
	}
	for finalizer, texts := range scenario.Explain {
		answer := a.run("explain", finalizer)
		for _, text := range texts {
			if !strings.Contains(answer, text) {
				a.t.Errorf("explain %s doesn't say %q:\n%s", finalizer, text, answer)
			}
		}
	}
}

func (a asker) why(question zoo.Question) {
	a.t.Helper()
	args := whyOf(question)
	human := a.run(args...)
	if a.shows {
		a.t.Logf("%s\n%s", strings.Join(args, " "), human)
	}
	var diagnosis result.Diagnosis
	a.decode(&diagnosis, args...)
	judge.Compare(a.t, question, &diagnosis, human)
	judge.Length(a.t, kubeconfigLine().ReplaceAllString(human, ""))
}

// kubeconfigLine is a line of a command that people's have not: their kubeconfig is the usual one.
func kubeconfigLine() *regexp.Regexp { return regexp.MustCompile(`(?m)^ +--kubeconfig \S+ \\\n`) }

func whyOf(question zoo.Question) []string {
	args := append([]string{"why", question.Target}, question.Args...)
	if question.Namespace != "" {
		args = append(args, "-n", question.Namespace)
	}
	return args
}

func (a asker) list(scenario operator.Scenario) {
	a.t.Helper()
	var list result.List
	a.decode(&list, "list", "-A")
	for _, item := range list.Items {
		isOf := func(question zoo.Question) bool { return judge.IsOf(item, question) }
		if !scenario.AnyList && !slices.ContainsFunc(scenario.Targets, isOf) {
			a.t.Errorf("list -A has %s: %s", item.Target, item.Summary)
		}
	}
	for _, question := range scenario.Targets {
		at := slices.IndexFunc(list.Items, func(item result.ListItem) bool { return judge.IsOf(item, question) })
		switch {
		case at >= 0:
			judge.CompareItem(a.t, scenario.ID, question.Want, list.Items[at])
		case !zoo.OneOf(question.Want.Verdict, string(result.NotTerminating)):
			a.t.Errorf("list -A doesn't have %s", question.Target)
		}
	}
}

func (a asker) check(scenario operator.Scenario) {
	a.t.Helper()
	var check result.Check
	a.decode(&check, "check", "-A")
	var found []string
	for _, finding := range check.Findings {
		found = append(found, string(finding.Reason)+" "+finding.Object.Kind+"/"+finding.Object.Path())
	}
	sorted := cmpopts.SortSlices(strings.Compare)
	if diff := cmp.Diff(scenario.Check, found, sorted, cmpopts.EquateEmpty()); diff != "" {
		a.t.Errorf("check -A (-want +got):\n%s%s", diff, a.run("check", "-A"))
	}
}

func (a asker) decode(into any, args ...string) {
	a.t.Helper()
	answer := a.run(append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		a.t.Fatalf("%v: %v\n%s", args, err, answer)
	}
}

// run runs the program within this process, and returns what it answers.
func (a asker) run(args ...string) string {
	a.t.Helper()
	return execute(a.t, append(args, a.from...)...)
}

func execute(t *testing.T, args ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := cli.Execute(context.WithoutCancel(t.Context()), streams, args); code != 0 {
		t.Errorf("%v: exit code %d\n%s", args, code, &errOut)
	}
	return out.String()
}
