package zoo_test

import (
	"cmp"
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// onlySteps makes TestZoo leave out what it asks with less, to follow the steps soon.
var onlySteps = flag.Bool("steps", false, "ask with all rights only, and follow the steps")

// heal follows the steps of an answer as a person does who has nothing else: to the letter, from the first, and it asks
// again after each. They end where the scenario says that they are enough. What needs a person, or a controller that
// the zoo doesn't have, is done before the first step by force. In the end the target must be gone, and nothing else
// may be gone but what some answer has named.
func (k *keeper) heal(t *testing.T, scenario zoo.Scenario, question zoo.Question) {
	t.Helper()
	kubeconfig, err := k.plane.UserKubeconfig(t.Context(), "zoo", "heals", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	before := k.alive(t, scenario)
	h := &healing{
		keeper: k, scenario: scenario, question: question, asker: &asker{plane: k.plane, kubeconfig: kubeconfig},
		then: question.Want.Then,
	}
	first := h.ask(t)
	if first == nil || len(stepsOf(first)) == 0 && len(h.then) == 0 || first.Verdict == result.NotTerminating {
		return // the answer asks for patience, or for nothing
	}
	if enough := question.Want.Heals; len(enough) > 0 {
		h.last = stepKey(remedyOf(t, first, enough[len(enough)-1]))
	}
	within, cancel := context.WithTimeout(t.Context(), healTimeout)
	defer cancel()
	for answer := first; answer != nil && answer.Target.UID == first.Target.UID; answer = h.ask(t) {
		if within.Err() != nil {
			t.Fatalf("these steps were followed, and the target is still there:\n%s\n%s", strings.Join(h.followed, "\n"),
				answer.Summary)
		}
		h.act(t, answer)
	}
	for object := range k.alive(t, scenario) {
		delete(before, object)
	}
	for object := range before {
		if _, name, _ := strings.Cut(object.Object, "/"); !strings.Contains(h.said.String(), name) {
			t.Errorf("%s in %q is gone, and no answer has named it:\n%s", object.Object, object.Namespace,
				strings.Join(h.followed, "\n"))
		}
	}
}

// healTimeout bounds how long it takes until a target is gone. It is never what is waited for.
const healTimeout = 8 * time.Minute

// healing is how far the steps about a target were followed.
type healing struct {
	*keeper
	scenario zoo.Scenario
	question zoo.Question
	asker    *asker
	then     []zoo.Step // what a person has yet to do
	followed []string
	last     string          // the step after which no other is needed
	account  string          // whose rights a step has checked
	said     strings.Builder // all answers
}

// ask returns the answer as of now, or nil if the target is gone.
func (h *healing) ask(t *testing.T) *result.Diagnosis {
	t.Helper()
	reply := h.asker.ask(t.Context(), h.question, "json")
	h.said.WriteString(reply.out)
	if reply.isGone() {
		return nil
	}
	return reply.diagnosis(t)
}

// onlyTries reports whether a step sends a write that is not carried out, to see whether it would be refused: that one
// is refused is no failure, as by a policy that was just deleted, and is still known to the API server.
func onlyTries(step finding.Remedy) bool { return slices.Contains(step.Command, "--dry-run=server") }

// act follows the next step of an answer, or does what no command does.
func (h *healing) act(t *testing.T, answer *result.Diagnosis) {
	t.Helper()
	steps := stepsOf(answer)
	at := slices.IndexFunc(steps, func(step finding.Remedy) bool { return !slices.Contains(h.followed, stepKey(step)) })
	if at >= 0 && h.last != "" && slices.Contains(h.followed, h.last) {
		at = -1
	}
	switch {
	case len(h.then) > 0 && (at < 0 || isForce(steps[at])):
		if err := h.breaker.Break(t.Context(), zoo.Scenario{ID: h.scenario.ID, Steps: h.then}); err != nil {
			t.Fatalf("%v, after\n%s", err, strings.Join(h.followed, "\n"))
		}
		h.then = nil
		return
	case at < 0:
		if !h.playController(t, answer) {
			time.Sleep(time.Second) // what was done takes effect
		}
		return
	}
	step := steps[at]
	if isForce(step) { // what is written to each second can't be removed: its program is stopped first
		h.breaker.Hush(h.scenario)
	}
	h.followed = append(h.followed, stepKey(step))
	if err := h.follow(t, step); err != nil && !onlyTries(step) && h.ask(t) != nil {
		t.Fatalf("a step can't be followed: %s\n%v", step.Action, err)
	}
	if h.account = cmp.Or(h.account, strings.Join(step.Command.Values("--as"), "")); step.Command.Asks("why") {
		h.question.Args = []string{"--probe"} // what it answers is followed
	}
}

// playController removes the finalizers that an answer expects a controller to remove, as the account whose rights some
// step has checked: there are no controllers in the zoo. It reports whether there were any.
func (h *healing) playController(t *testing.T, answer *result.Diagnosis) (played bool) {
	t.Helper()
	for _, observation := range answer.Observations {
		held := finding.Each(observation.Holds, func(hold finding.Hold) string { return hold.Name })
		if observation.Verdict == "" || len(held) == 0 {
			continue
		}
		released, err := h.breaker.Release(t.Context(), observation.Object, held, h.account)
		if err != nil {
			t.Fatal(err)
		}
		played = played || released
	}
	return played
}

func (k *keeper) alive(t *testing.T, scenario zoo.Scenario) map[zoo.Object]bool {
	t.Helper()
	alive, err := k.breaker.Alive(t.Context(), scenario)
	if err != nil {
		t.Fatal(err)
	}
	return alive
}

// remedyOf is the step of an answer that a scenario names by the numbers of a cause and of its remedy.
func remedyOf(t *testing.T, diagnosis *result.Diagnosis, step [2]int) finding.Remedy {
	t.Helper()
	if step[0] > len(diagnosis.RootCauses) || step[1] > len(diagnosis.RootCauses[step[0]-1].Remedies) {
		t.Fatalf("there is no remedy %v", step)
	}
	return diagnosis.RootCauses[step[0]-1].Remedies[step[1]-1]
}

// stepsOf returns the steps of an answer in the order in which people read them.
func stepsOf(diagnosis *result.Diagnosis) (steps []finding.Remedy) {
	for _, cause := range diagnosis.RootCauses {
		steps = append(steps, cause.Remedies...)
	}
	for _, observation := range diagnosis.Observations {
		steps = append(steps, observation.Remedies...)
	}
	return steps
}

// stepKey is the same for the same step of two answers.
func stepKey(step finding.Remedy) string { return step.Action + "\n  $ " + step.Command.String() }

// isForce reports whether a step is a last resort.
func isForce(step finding.Remedy) bool { return slices.Contains(step.Command, "--force") }
