package zoo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// heal follows the remedies that the scenario names, to the letter, and waits until the target is
// gone: advice that doesn't help is worse than none.
func (k *keeper) heal(t *testing.T, question zoo.Question, diagnosis *report.Diagnosis) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range question.Want.Heals {
		if step[0] > len(diagnosis.RootCauses) || step[1] > len(diagnosis.RootCauses[step[0]-1].Remedies) {
			t.Fatalf("there is no remedy %v", step)
		}
		remedy := diagnosis.RootCauses[step[0]-1].Remedies[step[1]-1]
		shell := exec.CommandContext(t.Context(), "sh", "-c", remedy.Command)
		shell.Env = append(os.Environ(), "PATH="+filepath.Dir(binaries.Kubectl)+string(os.PathListSeparator)+os.Getenv("PATH"))
		if output, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", remedy.Command, err, output)
		}
	}
	if len(question.Want.Heals) > 0 {
		gone := zoo.Until{Object: zoo.Object{Object: question.Target, Namespace: question.Namespace}, Gone: true}
		if err := k.breaker.Await(t.Context(), gone); err != nil {
			t.Errorf("the remedies were followed, and the target is still there: %v", err)
		}
	}
}
