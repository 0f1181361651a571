package print_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestPreviewFits describes what refuses and hangs as far as there is room, lists the rest, and sends to both.
func TestPreviewFits(t *testing.T) {
	for _, c := range []struct {
		refusals, causes, stepsOfEach int
		steps                         int
		wants                         []string
	}{
		{1, 1, 2, 4, []string{"under WOULD REFUSE and WOULD HANG."}},
		{0, 4, 5, 20, []string{"under WOULD HANG."}},
		{1, 2, 40, 42, []string{"2 MORE CAUSES", "Step-a", "under WOULD REFUSE and 2 MORE CAUSES."}},
		{2, 0, 50, 51, []string{"which would refuse the deletion", "under WOULD REFUSE and 1 MORE CAUSE."}},
		{0, 3, 70, 70, []string{"for which the deletion would hang", "under WOULD HANG and 2 MORE CAUSES."}},
	} {
		p := &result.Preview{Target: ref("ConfigMap", "notes"), Outcome: result.WouldHang}
		p.Delete = finding.Command{"kubectl", "delete", "cm/notes"}
		stepsFor := func(whom string) (steps []finding.Remedy) { // the same steps would be listed once
			for number := range c.stepsOfEach {
				steps = append(steps, stepsNamed(fmt.Sprintf("Step-%c%d-for-%s", 'a'+number%26, number, whom))...)
			}
			return steps
		}
		for number := range c.refusals {
			by := ref("ConfigMap", fmt.Sprintf("guard-%d", number))
			p.Refusals = append(p.Refusals, result.Refusal{By: by, Message: "It refuses.", Remedies: stepsFor(by.Name)})
		}
		for number := range c.causes {
			cause := causeOf("a.example.com/x", "")
			cause.Object = ref("ConfigMap", fmt.Sprintf("held-%d", number))
			cause.Remedies = stepsFor(cause.Object.Name)
			cause.Certainty = finding.Proven
			p.RootCauses = append(p.RootCauses, cause)
		}
		text := human(t, p, print.Style{})
		if got := strings.Count(text, " Step-"); got != c.steps {
			t.Errorf("%+v: %d steps, want %d:\n%s", c, got, c.steps, text)
		}
		for _, want := range c.wants {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
				t.Errorf("%+v: no %q in\n%s", c, want, text)
			}
		}
		all := (c.refusals + c.causes) * c.stepsOfEach
		if wide := human(t, p, print.Style{Wide: true}); strings.Count(wide, " Step-") != all {
			t.Errorf("%+v: wide output lacks steps:\n%s", c, wide)
		}
	}
}

// TestPreviewsTellACauseOnce describes a cause of several previews in the first of them, unless its steps differ or
// everything was asked for.
func TestPreviewsTellACauseOnce(t *testing.T) {
	cause := causeOf("a.example.com/x", "")
	other := cause
	other.Remedies = stepsNamed("Else")
	refused := result.Refusal{By: ref("ConfigMap", "guard"), Message: "It refuses.", Remedies: stepsNamed("Mend")}
	of := func(name string, causes ...result.RootCause) result.Preview {
		return result.Preview{
			Target: ref("ConfigMap", name), Outcome: result.WouldHang, RootCauses: causes, Refusals: []result.Refusal{refused},
		}
	}
	list := &result.PreviewList{Items: []result.Preview{of("one", cause), of("two", cause), of("three", other)}}
	for _, c := range []struct {
		wide                 bool
		asked, mended, above int
	}{{false, 1, 1, 3}, {true, 2, 3, 0}} {
		text := human(t, list, print.Style{Wide: c.wide})
		above := strings.Count(text, ": see the answer about ConfigMap shop/one above.")
		asked, mended := strings.Count(text, "1. Ask."), strings.Count(text, "1. Mend it.")
		if asked != c.asked || mended != c.mended || above != c.above || !strings.Contains(text, "1. Else it.") {
			t.Errorf("wide %t: asked %d, mended %d, sent above %d, want %+v:\n%s", c.wide, asked, mended, above, c, text)
		}
	}
}

// TestPreviewTellsStepsOnce sends to the steps of what refuses the deletion, if what hangs has the same: one step is
// said again, and so is all of wide output.
func TestPreviewTellsStepsOnce(t *testing.T) {
	const sent = "The steps are those for ConfigMap shop/guard above."
	for _, c := range []struct {
		steps []string
		style print.Style
		sends bool
	}{
		{[]string{"Mend", "Else"}, print.Style{}, true},
		{[]string{"Mend", "Else"}, print.Style{Wide: true}, false},
		{[]string{"Mend"}, print.Style{}, false},
		{[]string{"Mend", "Ask"}, print.Style{}, false},
	} {
		cause := causeOf("a.example.com/x", "")
		cause.Remedies = nil
		for _, name := range c.steps {
			cause.Remedies = append(cause.Remedies, stepsNamed(name)...)
		}
		mends := append(stepsNamed("Mend"), stepsNamed("Else")...)[:min(2, len(c.steps))]
		p := &result.Preview{
			Target: ref("ConfigMap", "notes"), Outcome: result.WouldHang, RootCauses: []result.RootCause{cause},
			Refusals: []result.Refusal{{By: ref("ConfigMap", "guard"), Message: "It refuses.", Remedies: mends}},
		}
		if text := human(t, p, c.style); strings.Contains(text, sent) != c.sends {
			t.Errorf("%+v: sends is not %t:\n%s", c, c.sends, text)
		}
	}
}

// TestAnswerSpares leaves out what a mistake may lose, and not the command for it, where an answer about one cause
// would be longer than a screen; wide output leaves out nothing.
func TestAnswerSpares(t *testing.T) {
	for _, c := range []struct {
		steps  int
		spares bool
	}{{4, false}, {27, true}} {
		cause := causeOf("a.example.com/x", "")
		cause.Certainty, cause.Object = finding.Proven, ref("ConfigMap", "notes")
		for number := range c.steps {
			cause.Remedies = append(cause.Remedies, stepsNamed(fmt.Sprintf("Step-%d", number))...)
		}
		d := &result.Diagnosis{
			Target: cause.Object, Verdict: result.Stuck, Summary: "It is stuck.", RootCauses: []result.RootCause{cause},
			Mistake: strings.Repeat("What it stands for may be lost. ", 5), Rescue: finding.Command{"rescue", "it"},
		}
		text, wide := human(t, d, print.Style{}), human(t, d, print.Style{Wide: true})
		if lines := strings.Count(text, "\n"); lines > 40 {
			t.Errorf("%d steps: %d lines:\n%s", c.steps, lines, text)
		}
		if said := strings.Contains(text, "may be lost"); said == c.spares || !strings.Contains(text, "rescue it") {
			t.Errorf("%d steps: it says what may be lost: %v, want %v:\n%s", c.steps, said, !c.spares, text)
		}
		if !strings.Contains(wide, "may be lost") {
			t.Errorf("%d steps: wide output leaves it out:\n%s", c.steps, wide)
		}
	}
}

// TestPreviewTellsASilentWebhookOnce describes a webhook without an answer that would refuse the deletion and what it
// waits for once, unless the steps differ, it refuses by intent, or everything was asked for.
func TestPreviewTellsASilentWebhookOnce(t *testing.T) {
	guard := ref("ConfigMap", "guard")
	for name, c := range map[string]struct {
		reason finding.Reason
		steps  string
		wide   bool
		times  int
	}{
		"the same":     {finding.WebhookUnavailable, "Mend", false, 1},
		"other steps":  {finding.WebhookUnavailable, "Ask", false, 2},
		"by intent":    {finding.AdmissionDenied, "Mend", false, 2},
		"in all words": {finding.WebhookUnavailable, "Mend", true, 2},
	} {
		cause := causeOf("a.example.com/x", "")
		cause.Object, cause.Reason, cause.Message = guard, c.reason, "It says nothing."
		cause.Remedies = stepsNamed(c.steps)
		p := &result.Preview{
			Target: ref("ConfigMap", "notes"), Outcome: result.WouldBeRefused, RootCauses: []result.RootCause{cause},
			Refusals: []result.Refusal{{
				By: guard, Reason: c.reason, Message: "It says nothing.", Remedies: stepsNamed("Mend"),
			}},
		}
		text := human(t, p, print.Style{Wide: c.wide})
		if got := strings.Count(text, "It says nothing."); got != c.times {
			t.Errorf("%s: it is described %d times, want %d:\n%s", name, got, c.times, text)
		}
	}
}
