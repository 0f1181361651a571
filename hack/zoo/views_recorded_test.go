package zoo_test

import (
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// checkRecorded records the whole cluster and compares what list and check say about both. The cluster changes
// meanwhile: three attempts.
func (v *viewer) checkRecorded() {
	v.t.Helper()
	folder := v.t.TempDir()
	asks := &asker{at: v.at}
	execute := func(args ...string) string {
		said := asks.run(v.t.Context(), args...)
		if said.code != 0 {
			v.t.Errorf("%v: exit code %d\n%s", args, said.code, said.errOut)
		}
		return judge.Timeless(said.out)
	}
	var diff string
	for _, file := range []string{"first", "second", "third"} {
		file = filepath.Join(folder, file)
		execute("snapshot", "-A", "-o", file, "--kubeconfig", v.admin)
		diff = ""
		for _, command := range []string{"list", "check", "tree"} {
			live := execute(command, "-A", "-o", "json", "--kubeconfig", v.admin)
			recorded := execute(command, "-A", "-o", "json", "--snapshot", file)
			// Commands of this program ask where the answer is from.
			diff += cmp.Diff(live, strings.ReplaceAll(recorded, "--snapshot "+file, "--context zoo"))
		}
		if diff == "" {
			return
		}
	}
	v.t.Errorf("the recording's answers differ (-live +recorded):\n%s", diff)
}
