package zoo_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// watchedFor is how long a watch lasts: more than the two seconds between two looks at what is overdue.
const watchedFor = 4 * time.Second

// askLater asks again where something writes to the objects all the time, or the target will be removed without help:
// by --watch, and with a clock that is later, by why and list. No write may be taken for progress, however often it is
// asked. What else is known may change with time.
func (k *keeper) askLater(t *testing.T, scenario zoo.Scenario, question zoo.Question, asker *asker) {
	t.Helper()
	writes := slices.ContainsFunc(scenario.Steps, func(step zoo.Step) bool {
		return step.Patch != nil && step.Patch.Every.Duration > 0
	})
	verdict := question.Want.Verdict
	advances := strings.Contains(verdict, string(result.Progressing))
	asked := writes && !advances || question.Want.Gone
	// With arguments, the same question was asked without.
	if !asked || scenario.As != nil || verdict == string(result.NotTerminating) || len(question.Args) > 0 {
		return
	}
	args := []string{question.Target, "--kubeconfig", asker.kubeconfig}
	if question.Namespace != "" {
		args = append(args, "-n", question.Namespace)
	}
	watch := []string{"why", "--watch", "--timeout", watchedFor.String(), "--exit-code"}
	watched := runLater(t, 0, append(watch, args...)...)
	if advances && watched.isGone() {
		return // before the first look: a busy machine asks late
	}
	if said := watched.code == 3 || watched.code == 0; said != advances {
		t.Errorf("--watch of %s, which is %s, ends with %d:\n%s%s", question.Target, verdict, watched.code, watched.out,
			watched.errOut)
	}
	if advances {
		return
	}
	for _, later := range []time.Duration{time.Minute, 3 * time.Minute, 10 * time.Minute} {
		var diagnosis result.Diagnosis
		said := runLater(t, later, append([]string{"why", "-o", "json"}, args...)...)
		if err := json.Unmarshal([]byte(said.out), &diagnosis); err != nil {
			t.Fatalf("why of %s, %s later: %v\n%s", question.Target, later, err, said.errOut)
		}
		if diagnosis.Verdict == result.Progressing {
			t.Errorf("why says Progressing of %s, %s later: %s", question.Target, later, diagnosis.Summary)
		}
		listLater(t, later, diagnosis.Target.UID, asker.kubeconfig, question.Namespace)
	}
}

// listLater holds that list doesn't say Progressing of an object, with a clock that is later.
func listLater(t *testing.T, later time.Duration, uid, kubeconfig, namespace string) {
	t.Helper()
	scope := []string{"-n", namespace}
	if namespace == "" {
		scope = []string{"-A"}
	}
	said := runLater(t, later, append([]string{"list", "-o", "json", "--kubeconfig", kubeconfig}, scope...)...)
	var list result.List
	if err := json.Unmarshal([]byte(said.out), &list); err != nil {
		t.Fatalf("list, %s later: %v\n%s", later, err, said.errOut)
	}
	at := slices.IndexFunc(list.Items, func(item result.ListItem) bool { return item.Target.UID == uid })
	switch {
	case at < 0:
		t.Errorf("list leaves out %s, %s later", uid, later)
	case list.Items[at].Verdict == result.Progressing:
		t.Errorf("list says Progressing of %s, %s later", list.Items[at].Target, later)
	}
}

// runLater runs the program within this process, by a clock that is later.
func runLater(t *testing.T, later time.Duration, args ...string) reply {
	t.Helper()
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	by := cli.Time{Now: func() time.Time { return time.Now().Add(later) }}
	code := cli.ExecuteAt(t.Context(), by, "", streams, append([]string{args[0], patientRequests}, args[1:]...))
	return reply{code: code, out: out.String(), errOut: errOut.String()}
}
