package diagnosis

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestDependentsAreNoLossOfAStep counts what the garbage collector deletes afterwards as lost by a removal by force,
// and by no step that lets a controller do its work. What goes with the object itself is lost by both.
func TestDependentsAreNoLossOfAStep(t *testing.T) {
	taken := func(situation string) finding.Taken {
		return finding.Taken{Situation: situation, Risk: finding.DataLoss, Details: finding.TakenDetails{Count: 1}}
	}
	start := finding.Remedy{Step: "ScaleUpController", Risk: finding.NoRisk}
	force := finding.Remedy{
		Step: "RemoveEntryOfController", Risk: finding.DataLoss,
		Command: finding.Command{"kubectl", "finalizers", "remove", "pumps/a"},
	}
	for name, c := range map[string]struct {
		waiting      []finding.Taken
		start, force int
		risk         finding.Risk
	}{
		"nothing":    {nil, 0, 0, finding.NoRisk},
		"dependents": {[]finding.Taken{taken("DependentsCollected")}, 0, 1, finding.NoRisk},
		"data":       {[]finding.Taken{taken("SecretData")}, 1, 1, finding.DataLoss},
		"both":       {[]finding.Taken{taken("DependentsCollected"), taken("SecretData")}, 1, 2, finding.DataLoss},
	} {
		r := newRun(&mechanism.Tools{Session: &session.Session{}})
		weighed := r.losses.weigh(t.Context(), []finding.Remedy{start, force}, c.waiting)
		if len(weighed) != 2 || len(weighed[0].Taken) != c.start || len(weighed[1].Taken) != c.force ||
			weighed[0].Risk != c.risk {
			t.Errorf("%s: weighed %+v", name, weighed)
		}
	}
}
