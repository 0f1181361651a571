package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// TestRank decides between candidates with equal rights, by how they fare and what else points at them.
func TestRank(t *testing.T) {
	const alive, down, gone, idle = candidateAlive, candidateDown, candidateGone, candidateIdle
	program := func(name string, state candidateState, kinds ...signs.Kind) *candidate {
		granted := signs.List{}.With(signs.MayWrite, finding.Clue{}).With(signs.MayWriteOnly, finding.Clue{})
		c := &candidate{account: rbac.Subject{Name: name}, state: state, granted: granted}
		for _, kind := range kinds {
			c.points(kind, finding.Clue{})
		}
		return c
	}
	for name, c := range map[string]struct {
		looked         []*candidate
		state          PresenceState
		chosen, equals string
		contested      bool
	}{
		"one that runs":  {[]*candidate{program("a", alive)}, Running, "a", "", false},
		"one that is up": {[]*candidate{program("a", down), program("b", alive, signs.HoldsLease)}, Running, "b", "", false},
		"equals, one up": {[]*candidate{program("a", down), program("b", alive)}, Running, "b", "a", true},
		"equals, both up": {
			[]*candidate{program("a", alive, signs.NamedAsKind), program("b", alive, signs.NamedAsKind)},
			Running, "a", "b", true,
		},
		"more points to the one that is down": {
			[]*candidate{program("a", down, signs.AnswersFor), program("b", alive, signs.NamedAsProject)}, Down, "a", "", false,
		},
		"the setter is down, whatever else runs": {
			[]*candidate{program("a", down, signs.SetFinalizer), program("b", alive, signs.BesideWebhook)}, Down, "a", "", false,
		},
		"the setter runs": {
			[]*candidate{program("a", alive, signs.NamedAsSetter), program("b", down)}, Running, "a", "", false,
		},
		"the setter is gone, and another one has the same rights": {
			[]*candidate{program("a", gone, signs.NamedAsSetter), program("b", alive, signs.NamedAsProject)},
			Missing, "", "", false,
		},
		"the setter is gone, and its successor is named after the kind": {
			[]*candidate{program("a", gone, signs.NamedAsSetter), program("b", alive, signs.NamedAsKind, signs.NamedAsOperator)},
			Running, "b", "", false,
		},
		"the setter is idle, and another one is known to the catalogue": {
			[]*candidate{program("a", idle, signs.SetFinalizer), program("b", down, signs.DescribedByName)},
			Down, "b", "", false,
		},
		"an account that set nothing is gone": {
			[]*candidate{program("a", gone, signs.NamedAsKind), program("b", alive)}, Running, "b", "", true,
		},
		"all are gone": {[]*candidate{program("a", gone), program("b", idle)}, Missing, "", "", false},
		"none":         {nil, Missing, "", "", false},
	} {
		got := rank(c.looked)
		chosen, equals := "", ""
		if got.found.candidate != nil {
			chosen = got.found.candidate.account.Name
		}
		for _, equal := range got.equals {
			equals += equal.account.Name
		}
		if got.found.state != c.state || chosen != c.chosen || equals != c.equals {
			t.Errorf("%s: %s %q, equal to %q; want %s %q, equal to %q",
				name, got.found.state, chosen, equals, c.state, c.chosen, c.equals)
		}
		if got.contested() != c.contested {
			t.Errorf("%s: contested is %t", name, !c.contested)
		}
	}
}
