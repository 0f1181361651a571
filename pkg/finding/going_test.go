package finding_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestGoing says that something would be deleted with a target only of what is not being deleted already.
func TestGoing(t *testing.T) {
	for name, c := range map[string]struct {
		foresees, already bool
		want              string
	}{
		"now":                       {false, false, "which is being deleted."},
		"with the target":           {true, false, "which would be deleted as well."},
		"before, and still is then": {true, true, "which is being deleted."},
	} {
		phrase := finding.Phrase{Situation: "LivedInDeletedNamespace", Details: finding.AbsenceDetails{
			Account:   &finding.Ref{Kind: "ServiceAccount", Namespace: "vault-system", Name: "vault"},
			Namespace: "vault-system", Already: c.already,
		}}
		if said := (finding.Voice{Foresees: c.foresees}).Phrase(phrase); !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}

// TestForgetCounts says of how many pods the step is, and that once.
func TestForgetCounts(t *testing.T) {
	pod := finding.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "q-0"}
	for others, want := range map[int]string{
		0: "Last resort: force the deletion of Pod shop/q-0. Its containers may keep running.",
		2: "Last resort: force the deletion of 3 pods. Their containers may keep running.",
	} {
		step := finding.Remedy{Step: "ForgetPod", Details: finding.StepDetails{Object: &pod}, Others: others}
		if said := (finding.Voice{}).Action(step); said != want {
			t.Errorf("%d others: %q, want %q", others, said, want)
		}
	}
}
