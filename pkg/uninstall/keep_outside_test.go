package uninstall_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestKeepOutside offers the setting by which a project leaves alone what an object stands for outside the cluster, of
// each object that hasn't got it yet and isn't being deleted.
func TestKeepOutside(t *testing.T) {
	t.Parallel()
	const held, abandon = "finalizers: [cnrm.cloud.google.com/finalizer]", "cnrm.cloud.google.com/deletion-policy: abandon"
	bucket := func(name, meta string) string {
		return object("storage.cnrm.cloud.google.com/v1", "StorageBucket", name, held+meta, "spec: {}")
	}
	objects := append(operator(1),
		definition("storagebuckets", "storage.cnrm.cloud.google.com", "StorageBucket", byHelm),
		bucket("images", ""), bucket("other/logs", ""), bucket("kept", ", annotations: {"+abandon+"}"),
		bucket("going", ", deletionTimestamp: '2026-01-02T11:59:00Z'"))
	plan, err := planCase{objects: objects, release: "store"}.ask(t)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(plan.Steps, func(step result.UninstallStep) bool { return len(step.Objects) > 0 })
	if at < 0 || plan.Steps[at].Phase != result.PhaseKeep || len(plan.Steps[at].Objects) != 2 {
		t.Fatalf("the first step about objects is %+v", plan.Steps)
	}
	var commands []string
	for _, command := range plan.Steps[at].Commands {
		commands = append(commands, command.String())
	}
	const patch = ` --type merge -p '{"metadata":{"annotations":{"cnrm.cloud.google.com/deletion-policy":"abandon"}}}'`
	slices.Sort(commands)
	if want := []string{
		"kubectl -n other patch storagebuckets.storage.cnrm.cloud.google.com/logs" + patch,
		"kubectl -n shop patch storagebuckets.storage.cnrm.cloud.google.com/images" + patch,
	}; !slices.Equal(commands, want) {
		t.Errorf("the commands are\n%s\nwant\n%s", strings.Join(commands, "\n"), strings.Join(want, "\n"))
	}
	// People may want it to be deleted, and leave out the step.
	if script := printed(t, plan, "script"); !strings.Contains(script, "if offered; then\n\tkubectl -n") {
		t.Errorf("the script doesn't ask before it keeps what is outside:\n%s", script)
	}
}
