// Package judge holds answers of the program to the true ones, for the tests of the zoo, of operators and of what
// Kubernetes' own tests assert, and the pages of the documentation that show them.
package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Compare holds an answer, and its form for people, to what the scenario wants.
func Compare(t *testing.T, question zoo.Question, diagnosis *result.Diagnosis, human string) {
	t.Helper()
	want := question.Want
	if !zoo.OneOf(want.Verdict, string(diagnosis.Verdict)) {
		t.Errorf("the verdict is %s, want %s", diagnosis.Verdict, want.Verdict)
	}
	compareCauses(t, want, diagnosis)
	var unreadable []string
	for _, one := range diagnosis.Unreadable {
		unreadable = append(unreadable, one.Resource)
	}
	if diff := cmp.Diff(want.Unreadable, unreadable, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("unreadable (-want +got):\n%s", diff)
	}
	evidence, remedies := told(diagnosis)
	var notes strings.Builder
	for _, observation := range diagnosis.Observations {
		notes.WriteString(observation.Message + "\n")
	}
	for _, text := range want.Notes {
		if !strings.Contains(notes.String(), text) {
			t.Errorf("no observation says %q: %s", text, notes.String())
		}
	}
	head := explained(diagnosis)
	for _, text := range want.Says {
		if !strings.Contains(head, text) {
			t.Errorf("neither the summary nor what explains it says %q: %s", text, head)
		}
	}
	for _, text := range want.NotSays {
		if said := unwrapped(human); strings.Contains(said, unwrapped(text)) {
			t.Errorf("the answer says %q: %s", text, around(said, unwrapped(text)))
		}
	}
	for _, text := range want.Evidence {
		if !strings.Contains(evidence+remedies, text) {
			t.Errorf("no evidence and no remedy says %q:\n%s%s", text, evidence, remedies)
		}
	}
	for _, text := range want.NoRemedy {
		if strings.Contains(remedies, text) {
			t.Errorf("a remedy says %q:\n%s", text, remedies)
		}
	}
}

// around is what stands around a text in a longer one.
func around(long, text string) string {
	const beside = 120 // bytes on each side
	at := strings.Index(long, text)
	return "..." + strings.ToValidUTF8(long[max(0, at-beside):min(len(long), at+len(text)+beside)], "") + "..."
}

// explained is the summary, and what explains it: what the causes say, and what is not clear or in progress.
func explained(diagnosis *result.Diagnosis) string {
	says := []string{diagnosis.Summary}
	for _, cause := range diagnosis.RootCauses {
		says = append(says, cause.Message)
	}
	for _, observation := range diagnosis.Observations {
		if observation.Verdict != "" {
			says = append(says, observation.Message)
		}
	}
	return strings.Join(says, "\n")
}

// told returns all evidence and all remedies of the causes, a line for each piece.
func told(diagnosis *result.Diagnosis) (evidence, remedies string) {
	for _, cause := range diagnosis.RootCauses {
		for _, sign := range cause.Evidence {
			evidence += sign.Source + ": " + sign.Observed + "\n"
		}
		for _, remedy := range cause.Remedies {
			remedies += strings.Join([]string{remedy.Action, remedy.Command.String(), remedy.Loses}, "\n") + "\n"
		}
	}
	return evidence, remedies
}

// unwrapped is text as it is before it is broken into lines.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

func compareCauses(t *testing.T, want zoo.Answer, diagnosis *result.Diagnosis) {
	t.Helper()
	var causes, wanted []zoo.Cause
	met := map[int]bool{}
	for _, cause := range diagnosis.RootCauses {
		found := zoo.Cause{Reason: string(cause.Reason), Object: cause.Object.Kind + "/" + cause.Object.Path()}
		if cause.Count > 1 {
			found.Count = cause.Count
		}
		at := slices.IndexFunc(want.Causes, func(wanted zoo.Cause) bool {
			return zoo.OneOf(wanted.Reason, found.Reason) && zoo.OneOf(wanted.Object, found.Object)
		})
		if at >= 0 {
			met[at] = true
			found = asWanted(want.Causes[at], found, cause)
		}
		causes = append(causes, found)
		checkCause(t, cause)
	}
	for at, one := range want.Causes {
		if met[at] || !one.Optional {
			wanted = append(wanted, one)
		}
	}
	byObject := cmpopts.SortSlices(func(a, b zoo.Cause) bool { return a.Reason+a.Object < b.Reason+b.Object })
	if diff := cmp.Diff(wanted, causes, byObject, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("root causes (-want +got):\n%s", diff)
	}
}

// asWanted is a cause that was found in the form of the one that is wanted: the rest is compared where the scenario
// says what it must be.
func asWanted(wanted, found zoo.Cause, cause result.RootCause) zoo.Cause {
	found.Reason, found.Object, found.Optional = wanted.Reason, wanted.Object, wanted.Optional
	if wanted.Path != nil {
		for _, ref := range cause.Path {
			found.Path = append(found.Path, ref.Kind+"/"+ref.Name)
		}
	}
	if wanted.Certainty != "" {
		found.Certainty = string(cause.Certainty)
	}
	return found
}

// checkCause holds every cause to what people and programs are promised.
func checkCause(t *testing.T, cause result.RootCause) {
	t.Helper()
	if len(cause.Evidence) == 0 || len(cause.Path) == 0 || len(cause.Remedies) == 0 {
		t.Errorf("%s has evidence %v, path %v, remedies %v; none may be empty", cause.Reason, cause.Evidence,
			cause.Path, cause.Remedies)
	}
	risks := map[finding.Risk]int{finding.NoRisk: 0, finding.Disruption: 1, finding.Orphans: 2, finding.DataLoss: 3}
	for i, remedy := range cause.Remedies {
		if i > 0 && risks[remedy.Risk] < risks[cause.Remedies[i-1].Risk] {
			t.Errorf("%s: remedy %d is safer than the one before it", cause.Reason, i+1)
		}
		if len(remedy.Command) > 0 && !strings.Contains(remedy.Command.String(), "--context zoo") {
			t.Errorf("%s: the command is not complete: %s", cause.Reason, remedy.Command)
		}
	}
}
