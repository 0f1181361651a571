package finding_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestProgram takes the program's name from the path by which it was called.
func TestProgram(t *testing.T) {
	for path, want := range map[string][2]string{
		"":                                {"kubectl-finalizers", "kubectl finalizers why"},
		"some/folder/kubectl-terminating": {"kubectl-terminating", "kubectl terminating why"},
		"kubectl-terminating.exe":         {"kubectl-terminating", "kubectl terminating why"},
		"KUBECTL-STUCK.EXE":               {"KUBECTL-STUCK", "KUBECTL-STUCK why"},
		"./kubectl-why_stuck":             {"kubectl-why_stuck", "kubectl why-stuck why"},
		"kubectl-acme-finalizers":         {"kubectl-acme-finalizers", "kubectl acme finalizers why"},
		"kf":                              {"kf", "kf why"},
		"my tool":                         {"my tool", "'my tool' why"},
		"kubectl-":                        {"kubectl-", "kubectl- why"},
		"kubectl-1.2":                     {"kubectl-1.2", "kubectl 1.2 why"},
	} {
		program := finding.ProgramAt(path)
		if got := [2]string{program.Name(), program.Command("why").String()}; got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestAsks knows the program's own commands by whichever name they begin with.
func TestAsks(t *testing.T) {
	for _, program := range []finding.Program{"", "kubectl-terminating", "kubectl-acme-finalizers", "kubectl-a_b", "kf"} {
		command := program.Command("remove", "configmaps/why", "--context", "lab")
		if !command.Asks("remove") || command.Asks("why") {
			t.Errorf("%s: it is remove: %v, it is why: %v", command, command.Asks("remove"), command.Asks("why"))
		}
	}
	for _, other := range []finding.Command{
		nil, {"kubectl"}, {"remove"}, {"kubectl", "-n", "remove", "get", "pods/remove"}, {"kubectl", "delete", "pods/remove"},
	} {
		if other.Asks("remove") {
			t.Errorf("%s is no removal by this program", other)
		}
	}
}
