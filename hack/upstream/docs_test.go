package upstream_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/upstream"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// update writes docs/upstream.md anew.
var update = flag.Bool("update", false, "write docs/upstream.md anew")

// TestDocs holds docs/upstream.md to what is tested.
func TestDocs(t *testing.T) { judge.Page(t, "upstream.md", docs(t), *update) }

const preface = `# The tests of Kubernetes

What the tests of Kubernetes assert of the garbage collector, of namespaces, finalizers and protection is true whoever
asks. 'hack/upstream/cases.yaml' makes the same objects on a real control plane. 'preview' must foretell each deletion,
the objects must then do what it foretold, and 'why' and 'list' must say what is still there. Where a scenario of the
[zoo](zoo.md) is the same, the table names it. 'go test ./hack/upstream' takes half a minute: the garbage collector
learns of new kinds every thirty seconds.

The tests are those of k8s.io/kubernetes v1.37. This file is written by 'go test ./hack/upstream -run TestDocs -update'.

| test | asserts | the program says |
|---|---|---|
`

func docs(t *testing.T) string {
	t.Helper()
	cases, err := upstream.Cases()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprint(&out, strings.ReplaceAll(preface, "'", "`"))
	for _, c := range cases {
		var says []string
		for _, moment := range c.Moments {
			says = append(says, saysOf(moment)...)
		}
		for _, id := range c.Zoo {
			says = append(says, inZoo(t, scenarios, id))
		}
		if c.Says != "" {
			says = append(says, c.Says)
		}
		fmt.Fprintf(&out, "| %s (`%s`) | %s | %s |\n", c.Test, c.File, c.Asserts, strings.Join(says, "; "))
	}
	return out.String()
}

// saysOf is what the program says of a moment, without names.
func saysOf(moment upstream.Moment) (says []string) {
	if moment.Delete != nil {
		line := "`preview " + moment.Delete.Object.Object
		if moment.Delete.Cascade != "" {
			line += " --cascade=" + moment.Delete.Cascade
		}
		line += "`: " + moment.Outcome
		for _, one := range []struct {
			does    string
			objects []string
		}{{"goes", moment.Goes}, {"waits", moment.Waits}, {"stays", moment.Stays}} {
			if len(one.objects) > 0 && moment.Outcome != "AlreadyDeleted" {
				line += fmt.Sprintf("; %s: %s", one.does, strings.Join(one.objects, ", "))
			}
		}
		says = append(says, line)
	}
	for _, question := range moment.Why {
		says = append(says, "`why "+question.Target+"`: "+judge.InTable(question.Want))
	}
	return says
}

// inZoo is what why says in a scenario of the zoo.
func inZoo(t *testing.T, scenarios []zoo.Scenario, id string) string {
	t.Helper()
	at := slices.IndexFunc(scenarios, func(scenario zoo.Scenario) bool { return scenario.ID == id })
	if at < 0 {
		t.Fatalf("there is no scenario %s", id)
	}
	question := scenarios[at].Questions()[0]
	return fmt.Sprintf("%s: `why %s`: %s", id, question.Target, judge.InTable(question.Want))
}
