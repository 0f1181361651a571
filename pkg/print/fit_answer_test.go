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
		if wide := human(t, p, print.Style{Wide: true}); strings.Count(wide, " Step-") != (c.refusals+c.causes)*c.stepsOfEach {
			t.Errorf("%+v: wide output lacks steps:\n%s", c, wide)
		}
	}
}
