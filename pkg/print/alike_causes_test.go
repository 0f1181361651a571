package print_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func causeOf(finalizer, extra string) result.RootCause {
	return result.RootCause{
		Reason: finding.ControllerUnknown, Situation: "SetByNobodyKnown", Details: finding.StepDetails{Name: extra},
		Object: ref("ConfigMap", "notes"), Finalizer: finalizer, Certainty: finding.Unknown, Count: 1,
		Message:  "It is held by " + finalizer + ", and nothing goes by " + strings.Split(finalizer, "/")[0] + "." + extra,
		Evidence: []finding.Evidence{{Source: "Deployments", Observed: "none mentions " + strings.Split(finalizer, "/")[0]}},
		Remedies: []finding.Remedy{
			{Step: "Ask", Action: "Ask.", Command: finding.Command{"kubectl", "get", "cm/notes"}, Risk: finding.NoRisk},
			{Step: "Remove", Action: "Remove it.", Command: finding.Command{"kubectl", "finalizers", "remove", "cm/notes",
				"--finalizer", finalizer}, Risk: finding.DataLoss, Loses: "what it guards"},
		},
	}
}

// TestAlikeButForTheFinalizer tells causes of one object in one block where only names differ, and hides none of them.
func TestAlikeButForTheFinalizer(t *testing.T) {
	d := &result.Diagnosis{Verdict: result.Undetermined, Target: ref("ConfigMap", "notes"), RootCauses: []result.RootCause{
		causeOf("a.example.com/x", ""), causeOf("b.example.com/y", ""), causeOf("c.example.com/z", " It was set by hand."),
		causeOf("d.example.com/w", ""),
	}}
	text := human(t, d, print.Style{})
	for said, times := range map[string]int{
		"CAUSES 1, 2 and 4 of 4  ControllerUnknown": 1, "CAUSE 3 of 4  ControllerUnknown": 1,
		"The same applies to its finalizers b.example.com/y and d.example.com/w.": 1, "none mentions a.example.com": 1,
		"none mentions b.example.com":                                                  0,
		"About causes 1, 2 and 4, ControllerUnknown:":                                  1,
		"About cause 3, ControllerUnknown: the same steps as for causes 1, 2 and 4,\n": 1,
		"--finalizer a.example.com/x":                                                  1, "--finalizer b.example.com/y": 1,
		"--finalizer c.example.com/z": 1, "--finalizer d.example.com/w": 1,
		"kubectl get cm/notes": 2, "Loses: what it guards.": 1,
	} {
		if got := strings.Count(text, said); got != times {
			t.Errorf("%q is said %d times, want %d:\n%s", said, got, times, text)
		}
	}
}

// TestLossBesideReading says of a step with a command that only reads that the deed loses something, and the command
// nothing.
func TestLossBesideReading(t *testing.T) {
	const reads = "When the deletion finishes, this is lost:"
	install := finding.Remedy{Step: "Install", Action: "Install it again. See which there are.", Risk: finding.DataLoss,
		Loses: "ALL ITS DATA", Command: finding.Command{"kubectl", "get", "csidrivers"}}
	remove := finding.Remedy{Step: "Delete", Action: "Delete it.", Risk: finding.DataLoss, Loses: "ALL ITS DATA",
		Command: finding.Command{"kubectl", "delete", "pv/disk"}}
	cause := causeOf("a.example.com/x", "")
	for _, one := range []struct {
		remedy        finding.Remedy
		said, notSaid string
	}{{install, "  " + reads + "\n       ALL ITS DATA.\n", "Loses:"}, {remove, "     Loses: ALL ITS DATA.\n", reads}} {
		cause.Remedies = []finding.Remedy{one.remedy}
		d := &result.Diagnosis{Verdict: result.Stuck, Target: cause.Object, RootCauses: []result.RootCause{cause}}
		text := human(t, d, print.Style{})
		if !strings.Contains(text, one.said) || strings.Contains(text, one.notSaid) {
			t.Errorf("want %q, and not %q:\n%s", one.said, one.notSaid, text)
		}
	}
}
