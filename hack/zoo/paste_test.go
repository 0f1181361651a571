package zoo_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// pasteAll makes TestZoo ask, beside the question with all rights, about what is pasted of every scenario.
var pasteAll = flag.Bool("pastes", false, "ask with all rights, and about what is pasted, only")

// mostPastes is how often output of the command that completes an answer is pasted: once for what the object shows, and
// once for the pods of the controller that was found in that.
const mostPastes = 2

// settledByPastes are scenarios whose cause two pastes show. kubectl takes seconds of the machine for each.
func settledByPastes() []string { return []string{"N52", "P06c", "P19e", "S12", "S18", "S22", "S70"} }

// pasteMore asks about the target as a person has pasted it, and pastes below what the command prints that completes
// the answer. No answer may have a cause that the cluster doesn't show, and the last one has the one that it shows.
func (k *keeper) pasteMore(t *testing.T, scenario zoo.Scenario, question zoo.Question, full *result.Diagnosis) {
	t.Helper()
	settles := slices.Contains(settledByPastes(), scenario.ID)
	if len(question.Args) > 0 || scenario.As != nil || len(full.RootCauses) == 0 || !settles && !*pasteAll {
		return
	}
	asker := k.newAsker(t, scenario)
	pasted := filepath.Join(t.TempDir(), "pasted.txt")
	command := "kubectl get -o yaml " + question.Target
	if question.Namespace != "" {
		command += " -n " + question.Namespace
	}
	for pastes := range mostPastes + 1 {
		output, err := k.tryShell(t, fmt.Sprintf("export KUBECONFIG=%s; %s", asker.kubeconfig, command))
		if err != nil {
			t.Fatal(err)
		}
		appendTo(t, pasted, output)
		answer := askPasted(t, question, pasted)
		if wrong := notAmong(full, answer); wrong != "" {
			t.Errorf("after %d pastes, %s, and the cluster shows %v", pastes, wrong, causesOf(full))
		}
		if isSettled(full, answer) {
			return
		}
		if len(answer.Ask) == 0 || pastes == mostPastes {
			if settles {
				t.Errorf("after %d pastes, it asks for %q: %s", pastes, answer.Ask.String(), answer.Summary)
			}
			t.Logf("not settled by %d pastes: %s", pastes, answer.Summary)
			return
		}
		command = answer.Ask.String()
	}
}

func appendTo(t *testing.T, path string, text []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(append(text, '\n')); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// askPasted asks about the target from what was pasted.
func askPasted(t *testing.T, question zoo.Question, pasted string) *result.Diagnosis {
	t.Helper()
	got := (&asker{}).about(t.Context(), "why", question, "--snapshot", pasted, "-o", "json")
	var answer result.Diagnosis
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatalf("%v\n%s", err, got.errOut)
	}
	return &answer
}

// isSettled reports whether an answer has the first cause of the full one.
func isSettled(full, answer *result.Diagnosis) bool {
	return len(answer.RootCauses) > 0 && answer.RootCauses[0].Reason == full.RootCauses[0].Reason &&
		answer.RootCauses[0].Object.Path() == full.RootCauses[0].Object.Path()
}

// notAmong says what an answer claims that the full one doesn't: a cause, or that the deletion advances. Who knows less
// may stop on the way to the cause.
func notAmong(full, answer *result.Diagnosis) string {
	known := causesOf(full)
	for _, cause := range answer.RootCauses {
		onTheWay := slices.ContainsFunc(full.RootCauses, func(deeper result.RootCause) bool {
			return slices.ContainsFunc(deeper.Path, cause.Object.SameAs)
		})
		said := found{reason: cause.Reason, object: cause.Object.Kind + "/" + cause.Object.Path()}
		if cause.Reason != finding.ControllerUnknown && !slices.Contains(known, said) && !onTheWay {
			return said.String() + " is said to be a cause"
		}
	}
	if answer.Verdict == result.Progressing && full.Verdict != result.Progressing {
		return "the verdict is Progressing: " + answer.Summary
	}
	return ""
}
