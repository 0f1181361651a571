package zoo_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
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
	var differs []string
	for range 3 {
		met := &meeting{}
		live, err := cluster.NewLive(t.Context(), k.remembering(met), t.TempDir())
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
		differs = append(asked.agree(), met.problems...)
		if len(differs) == 0 {
			break
		}
	}
	if len(differs) > 0 {
		t.Errorf("commands disagree:\n%s", strings.Join(differs, "\n"))
	}
}

// remembering is how to reach the control plane so that nothing is fetched twice, whoever asks.
func (k *keeper) remembering(met *meeting) *rest.Config {
	answers := k.front.Answers()
	server := k.front.Put(func(w http.ResponseWriter, r *http.Request) bool {
		if needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI()); about {
			met.note(r, needed, false)
		}
		answers.ServeHTTP(w, r)
		return true
	})
	return &rest.Config{Host: server, QPS: -1}
}
