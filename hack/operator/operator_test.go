package operator_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/uninstall"
)

func TestMain(m *testing.M) {
	operator.EnterIfAsked()
	uninstall.RunPlugin()
	controlplane.Main(m)
}

// TestOperators gets real operators into the situations of scenarios/, one control plane for each, and holds what is
// said of them to the truth.
func TestOperators(t *testing.T) {
	all, err := operator.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range all {
		t.Run(scenario.ID, func(t *testing.T) {
			bin := built(t, scenario)
			plane := controlplane.ForTest(t)
			harness := start(t, plane, bin)
			if err := harness.Break(t.Context(), scenario); err != nil {
				t.Fatal(err)
			}
			kubeconfig, err := plane.UserKubeconfig(t.Context(), "zoo", "asks", controlplane.ClusterAdmins)
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("KUBECONFIG", kubeconfig) // as a person has it: commands that are printed need not name it
			live := asker{t: t, shows: true}
			live.ask(scenario)
			live.record(scenario)
		})
	}
}

// built returns the folder with the built operators. Building takes minutes, so that plain tests go without.
func built(t *testing.T, scenario operator.Scenario) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("operators run in namespaces of their own, which only Linux has")
	}
	if os.Getenv("OPERATOR_REQUIRED") == "" {
		t.Skip("real operators take minutes: run 'make test-operators', which builds and runs them")
	}
	_, self, _, _ := runtime.Caller(0)
	bin := filepath.Join(filepath.Dir(self), "..", "..", "bin", "operator")
	for _, name := range scenario.Operators {
		for _, file := range []string{name, "manifests.yaml"} {
			if _, err := os.Stat(filepath.Join(bin, name, file)); err != nil {
				t.Fatalf("operator %s isn't built: run 'make test-operators' (%v)", name, err)
			}
		}
	}
	return bin
}

// start returns a harness, which ends with the test.
func start(t *testing.T, plane *controlplane.ControlPlane, bin string) *operator.Harness {
	t.Helper()
	dir := t.TempDir()
	harness, err := operator.New(t.Context(), plane, bin, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what the operators said last:\n%s", harness.Logs())
		}
		if err := harness.Stop(); err != nil {
			t.Logf("the last trouble with programs: %v", err)
		}
	})
	return harness
}
