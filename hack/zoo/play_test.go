package zoo_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

const (
	// lanesTogether is on how many control planes at once scenarios are played together.
	lanesTogether = 2
	// lanesAlone is on how many control planes at once scenarios are played that disturb a whole one, if there are
	// enough of them: fewAlone aren't worth another one, which takes 400 MB.
	lanesAlone, fewAlone = 3, 8
	// mostTogether is how many scenarios share a control plane: each question scans the kinds of all of them.
	mostTogether = 40
)

// play breaks control planes of a version in the ways of some scenarios: most of them together, as many as share one,
// and the scenarios that disturb a whole one after the other.
func play(
	t *testing.T, version string, boot func(testing.TB) *controlplane.ControlPlane, scenarios []zoo.Scenario,
) {
	t.Parallel()
	controlplane.Require(t) // no test can be skipped from within the functions below that are called once
	told := &told{turns: newTurns()}
	t.Cleanup(func() { told.foreseen.check(t) })
	disturbs := func(scenario zoo.Scenario) bool { return scenario.Exclusive }
	shared := slices.DeleteFunc(slices.Clone(scenarios), disturbs)
	disturbing := slices.DeleteFunc(slices.Clone(scenarios), func(s zoo.Scenario) bool { return !disturbs(s) })
	alone := make([][]zoo.Scenario, min(lanesAlone, len(disturbing)/fewAlone+1))
	for i, scenario := range disturbing { // near twins take as long as each other, so that they are dealt out
		alone[i%len(alone)] = append(alone[i%len(alone)], scenario)
	}
	inLanes(t, "together", lanesTogether, slices.Collect(slices.Chunk(shared, mostTogether)),
		func(t *testing.T, scenarios []zoo.Scenario) {
			keeper := keeperOnce(t, boot, told, scenarios)
			for _, scenario := range scenarios {
				t.Run(scenario.ID, func(t *testing.T) {
					t.Parallel()
					keeper().check(t, scenario)
				})
			}
		})
	inLanes(t, "alone", len(alone), alone,
		func(t *testing.T, scenarios []zoo.Scenario) {
			keeper := keeperOnce(t, boot, told, scenarios)
			for _, scenario := range scenarios {
				t.Run(scenario.ID, func(t *testing.T) { keeper().checkAlone(t, scenario) })
			}
		})
}

// inLanes plays groups of scenarios, each on a control plane of its own: the lanes side by side, the groups of a lane
// one after the other. A test's name has the lane, the control plane, and the scenario.
func inLanes(
	t *testing.T, name string, lanes int, groups [][]zoo.Scenario, play func(*testing.T, []zoo.Scenario),
) {
	for lane := range lanes {
		t.Run(fmt.Sprintf("%s-%d", name, lane+1), func(t *testing.T) {
			t.Parallel()
			for i := lane; i < len(groups); i += lanes {
				t.Run(fmt.Sprintf("plane-%d", i+1), func(t *testing.T) { play(t, groups[i]) })
			}
		})
	}
}

// keeperOnce returns what boots a control plane for the first scenario that is played on it.
func keeperOnce(
	t *testing.T, boot func(testing.TB) *controlplane.ControlPlane, told *told, scenarios []zoo.Scenario,
) func() *keeper {
	return sync.OnceValue(func() *keeper { return newPlayer(t, boot(t), told, scenarios) })
}
