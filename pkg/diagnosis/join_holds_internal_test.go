package diagnosis

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestJoinHeld counts at a removal by force for how many more objects it is the way: others of that kind with that
// finalizer, each once.
func TestJoinHeld(t *testing.T) {
	ref := func(kind, name string) finding.Ref { return finding.Ref{Kind: kind, Namespace: "shop", Name: name} }
	down := func(held finding.Ref, finalizer string) finding.Finding {
		path := strings.ToLower(held.Kind) + "s/" + held.Name
		force := finding.Command{"kubectl", "finalizers", "remove", path, "--finalizer", finalizer}
		return finding.Finding{
			Situation: "ControllerNotRunning", Finalizer: finalizer,
			Details: finding.ControllerDetails{Held: []finding.Ref{held}},
			Remedies: []finding.Remedy{
				{Step: "ScaleUpController", Details: finding.StepDetails{}},
				{
					Step:    "RemoveEntryOfController",
					Details: finding.StepDetails{Loss: &finding.Loss{Object: held}}, Command: force,
				},
			},
		}
	}
	const a = "pumps/a a.b/c"
	for name, c := range map[string]struct {
		others []finding.Finding
		held   int
		more   int
		forces []string
	}{
		"alone":     {nil, 1, 0, []string{a}},
		"met again": {[]finding.Finding{down(ref("Pump", "a"), "a.b/c")}, 1, 0, []string{a}},
		"one more":  {[]finding.Finding{down(ref("Pump", "b"), "a.b/c")}, 2, 1, []string{"pumps/a pumps/b a.b/c"}},
		"two more": {
			[]finding.Finding{down(ref("Pump", "b"), "a.b/c"), down(ref("Pump", "d"), "a.b/c")}, 3, 2,
			[]string{"pumps/a pumps/b pumps/d a.b/c"},
		},
		"one of another kind": {[]finding.Finding{down(ref("Valve", "v"), "a.b/c")}, 2, 0, []string{a, "valves/v a.b/c"}},
		"by another finalizer": {
			[]finding.Finding{down(ref("Pump", "b"), "a.b/d")}, 2, 1, []string{"pumps/a pumps/b a.b/c a.b/d"},
		},
		"of another controller": {[]finding.Finding{{Details: finding.ControllerMissingDetails{}}}, 1, 0, []string{a}},
		"by two finalizers":     {[]finding.Finding{down(ref("Pump", "a"), "a.b/d")}, 1, 0, []string{"pumps/a a.b/c a.b/d"}},
		"two of another kind": {
			[]finding.Finding{down(ref("Valve", "v"), "a.b/e"), down(ref("Valve", "w"), "a.b/e")}, 3, 0,
			[]string{a, "valves/v valves/w a.b/e"},
		},
	} {
		first := down(ref("Pump", "a"), "a.b/c")
		cause, known := first, map[finding.Ref]bool(nil)
		for _, other := range c.others {
			cause, known = joinHolds(cause, other, known, false)
		}
		details, _ := cause.Details.(finding.ControllerDetails)
		force, start := cause.Remedies[1], cause.Remedies[0]
		if len(details.Held) != c.held || force.Others != c.more || start.Others != 0 {
			t.Errorf("%s: %d held, %d more by force, and %d at another step", name, len(details.Held), force.Others,
				start.Others)
		}
		var forces []string
		for _, remedy := range cause.Remedies[1:] {
			words := slices.DeleteFunc(slices.Clone(remedy.Command[3:]), func(word string) bool {
				return word == "--finalizer"
			})
			forces = append(forces, strings.Join(words, " "))
		}
		if !slices.Equal(forces, c.forces) {
			t.Errorf("%s: by force %q, want %q", name, forces, c.forces)
		}
		said := finding.Voice{}.Action(cause.Remedies[1])
		if strings.Contains(said, "The command is for this and ") != (c.more > 0) {
			t.Errorf("%s: it says %q", name, said)
		}
		if alone := first.Remedies[1]; alone.Others != 0 || len(alone.Command) != 6 {
			t.Errorf("%s: the first finding was changed", name)
		}
	}
}
