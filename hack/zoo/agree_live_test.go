package zoo_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// agree asks all commands about a target on the control plane, as TestCommandsAgreeFromRecordings does of recordings:
// here everything can be read. A target that is removed meanwhile is not asked about.
func (k *keeper) agree(t *testing.T, question zoo.Question, answer *result.Diagnosis, now *moment) {
	t.Helper()
	if question.Want.Gone {
		return
	}
	var asked *panel
	ask := func() string {
		defer k.turns.take()()
		asked = panelIn(t, now, question, answer)
		now = k.newMoment(t, now.at) // if they have to be compared again
		return timelessly(t, asked.why)
	}
	whileItChanges(t, ask, func(string) string {
		defer k.turns.take()()
		if differs := asked.agree(); len(differs) > 0 {
			return "commands disagree:\n" + strings.Join(differs, "\n")
		}
		return ""
	})
}

// panelIn returns all commands, to be asked in a moment, once why has answered.
func panelIn(t *testing.T, now *moment, question zoo.Question, answer *result.Diagnosis) *panel {
	t.Helper()
	live, err := cluster.NewLive(t.Context(), &rest.Config{Host: now.server, QPS: -1}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	live.UseClock(func() time.Time { return now.at })
	asked := &panel{t: t, reader: live, options: optionsOf(t, question), why: answer, tally: &counts{}}
	seen := &view{Reader: live, objects: asked.inView()}
	asked.why, err = diagnosis.Why(t.Context(), seen, asked.target(answer.Target), asked.options)
	if err != nil {
		t.Fatal(err)
	}
	return asked
}
