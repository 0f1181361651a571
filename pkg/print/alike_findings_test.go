package print_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestCheckSaysOneProgramOnce has a program that is to blame for three finalizers, as one finding for a person where
// the same steps repair it, and as two where each needs a step of its own or another program is to blame.
func TestCheckSaysOneProgramOnce(t *testing.T) {
	for _, c := range []struct {
		what           string
		faults, steps  [3]string
		headline, also string
	}{
		{"one program", [3]string{"a", "a", "a"}, [3]string{"x", "x", "x"}, "Found 1 warning.",
			"This would also block Gear shop/g-1, Gear shop/g-2 and Widget shop/w."},
		{"two programs", [3]string{"a", "b", "a"}, [3]string{"x", "x", "x"}, "Found 2 warnings.",
			"This would also block Gear shop/g-2."},
		{"other steps", [3]string{"a", "a", "a"}, [3]string{"x", "y", "z"}, "Found 3 warnings.", ""},
		{"one object", [3]string{"a", "a", "b"}, [3]string{"x", "x", "x"}, "Found 2 warnings.", ""},
		{"nothing known", [3]string{"", "", ""}, [3]string{"x", "x", "x"}, "Found 3 warnings.", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			check := &result.Check{Held: 4}
			kinds := [3]finding.Ref{
				{Kind: "Service", Namespace: "shop", Name: "s"}, {Kind: "Widget", Namespace: "shop", Name: "w"},
				{Kind: "Gear", Namespace: "shop", Name: "g-2"},
			}
			if c.what == "one program" {
				kinds[1], kinds[2] = finding.Ref{Kind: "Gear", Namespace: "shop", Name: "g-1"}, kinds[1]
			}
			if c.what == "one object" { // with two finalizers
				kinds[1] = kinds[0]
			}
			for i, ref := range kinds {
				check.Findings = append(check.Findings, result.Finding{
					Severity: result.Warning, Reason: finding.ControllerDown, Object: ref, Count: 1, AtFault: c.faults[i],
					Message: "It is down.", Remedies: []finding.Remedy{{Action: c.steps[i]}},
				})
			}
			if c.what == "one program" {
				check.Findings[1].Others = []finding.Ref{{Kind: "Gear", Namespace: "shop", Name: "g-2"}}
			}
			var out bytes.Buffer
			if err := print.Result(t.Context(), &out, check, "human", print.Style{}); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(out.String()), " ")
			if !strings.HasPrefix(text, c.headline) || strings.Count(text, "This would also block") > 1 ||
				!strings.Contains(text, c.also) || (c.also == "") == strings.Contains(text, "also block") {
				t.Errorf("want %q and %q in:\n%s", c.headline, c.also, out.String())
			}
		})
	}
}
