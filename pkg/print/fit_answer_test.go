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
		var steps []finding.Remedy
		for number := range c.stepsOfEach {
			steps = append(steps, stepsNamed(fmt.Sprintf("Step-%c%d", 'a'+number%26, number))...)
		}
		for number := range c.refusals {
			by := ref("ConfigMap", fmt.Sprintf("guard-%d", number))
			p.Refusals = append(p.Refusals, result.Refusal{By: by, Message: "It refuses.", Remedies: steps})
		}
		for number := range c.causes {
			cause := causeOf("a.example.com/x", "")
			cause.Object, cause.Remedies = ref("ConfigMap", fmt.Sprintf("held-%d", number)), steps
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
