package zoo_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// agree asks all commands about a target on the control plane, as TestCommandsAgreeFromRecordings does of recordings:
// here everything can be read. The cluster changes meanwhile: three attempts, and none if the target itself is removed.
func (k *keeper) agree(t *testing.T, question zoo.Question, told *result.Diagnosis, asker *asker) {
	t.Helper()
	if question.Want.Gone {
		return
	}
	config, err := clientcmd.BuildConfigFromFlags("", asker.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	var differs []string
	for range 3 {
		live, err := cluster.NewLive(t.Context(), config, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		live.UseClock(func() time.Time { return asker.at })
		asked := &panel{t: t, reader: live, options: optionsOf(t, question), why: told, tally: &counts{}}
		seen := &view{Reader: live, objects: asked.inView()}
		asked.why, err = diagnosis.Why(t.Context(), seen, asked.target(told.Target), asked.options)
		if err != nil {
			t.Fatal(err)
		}
		if differs = asked.agree(); len(differs) == 0 {
			break
		}
	}
	checkReads(t, asker.requests(t))
	if len(differs) > 0 {
		t.Errorf("commands disagree:\n%s", strings.Join(differs, "\n"))
	}
}
