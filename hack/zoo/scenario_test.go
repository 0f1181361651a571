package zoo_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

func TestParse(t *testing.T) {
	const start = "id: X\nsteps: [{aliveNode: x}]\n"
	for _, c := range []struct{ name, scenario, refusal string }{
		{"one question", "target: a/b\nbudget: 1\nwant: {verdict: Stuck}", ""},
		{"several questions", "targets: [{target: a/b, budget: 1, want: {verdict: Stuck|Undetermined}}, {target: c/d, " +
			"budget: 2, want: {gone: true}}]", ""},
		{"arguments", "target: a/b\nbudget: 1\nargs: [--probe]\nwant: {verdict: Stuck}", ""},
		{"no budget", "target: a/b\nwant: {verdict: Stuck}", "budget"},
		{"no budget for one of several", "targets: [{target: a/b, budget: 1, want: {gone: true}}, {target: c/d, want: " +
			"{gone: true}}]", "c/d needs a budget"},
		{"older versions", "from: \"1.30\"\nuntil: \"1.36\"\ntarget: a/b\nbudget: 1\nwant: {verdict: Stuck}\nbefore: " +
			"[{version: \"1.33\", want: {gone: true}}]", ""},
		{"what is no version", "from: old\ntarget: a/b\nbudget: 1\nwant: {verdict: Stuck}", `"old" is no version`},
		{"older versions in disorder", "target: a/b\nbudget: 1\nwant: {gone: true}\n" +
			"before: [{version: \"1.33\", want: {gone: true}}, {version: \"1.31\", want: {gone: true}}]", "earliest"},
		{"an older version without a verdict",
			"target: a/b\nbudget: 1\nwant: {gone: true}\nbefore: [{version: \"1.33\", want: {}}]", "before 1.33"},
		{"no target", "budget: 1\nwant: {verdict: Stuck}", "target"},
		{"a target and targets", "target: a/b\nbudget: 1\nwant: {gone: true}\ntargets: [{target: a/b, budget: 1, want: " +
			"{gone: true}}]", "either"},
		{"no verdict", "target: a/b\nbudget: 1", "verdict"},
		{"an unknown verdict", "target: a/b\nbudget: 1\nwant: {verdict: Stuck|Lost}", `"Lost"`},
		{"an unknown field", "target: a/b\nbudget: 1\nwant: {verdict: Stuck, perhaps: x}", "perhaps"},
	} {
		_, err := zoo.Parse([]byte(start + c.scenario))
		switch {
		case c.refusal == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.refusal != "" && (err == nil || !strings.Contains(err.Error(), c.refusal)):
			t.Errorf("%s: %v, want an error about %s", c.name, err, c.refusal)
		}
	}
	if _, err := zoo.ParseSteps([]byte(start)); err != nil {
		t.Errorf("steps alone: %v", err)
	}
	if _, err := zoo.All(); err != nil {
		t.Error(err)
	}
}

func TestPreconditions(t *testing.T) {
	scenario, err := zoo.ParseSteps([]byte(`{id: X, steps: [{aliveNode: kept}, {aliveNode: lost},
  {until: {object: pod/web, namespace: x, gone: true}}, {delete: {object: node/lost}},
  {until: {object: pod/late, namespace: x, gone: true}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	scenario.Question = zoo.Question{Target: "pod/asked", Namespace: "x", Want: zoo.Answer{Gone: true}}
	var objects []string
	for _, state := range scenario.Preconditions() {
		objects = append(objects, state.Object.Object)
	}
	if got, want := strings.Join(objects, " "), "pod/asked node/kept pod/late"; got != want {
		t.Errorf("%q must hold before the question, want %q", got, want)
	}
}
