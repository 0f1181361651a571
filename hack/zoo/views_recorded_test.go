package zoo_test

import (
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
)

// checkRecorded records the whole cluster and compares what list and check say about both.
func (v *viewer) checkRecorded() {
	v.t.Helper()
	asks := &asker{at: v.at}
	execute := func(args ...string) string {
		said := asks.run(v.t.Context(), args...)
		if said.code != 0 {
			v.t.Errorf("%v: exit code %d\n%s", args, said.code, said.errOut)
		}
		return judge.Timeless(said.out)
	}
	answers := func(flag, value string) (said []string) {
		for _, command := range []string{"list", "check", "tree"} {
			said = append(said, execute(command, "-A", "-o", "json", flag, value))
		}
		return said
	}
	whileItChanges(v.t, func() []string { return answers("--kubeconfig", v.admin) }, func(live []string) string {
		file := filepath.Join(v.t.TempDir(), "recording")
		execute("snapshot", "-A", "-o", file, "--kubeconfig", v.admin)
		recorded := answers("--snapshot", file)
		for i, said := range recorded { // commands of this program ask where the answer is from
			recorded[i] = strings.ReplaceAll(said, "--snapshot "+file, "--context zoo")
		}
		if diff := cmp.Diff(live, recorded); diff != "" {
			return "the recording's answers differ (-live +recorded):\n" + diff
		}
		return ""
	})
}
