package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

func TestMain(m *testing.M) { controlplane.Main(m) }

// TestZoo breaks one control plane in every known way and asks why.
func TestZoo(t *testing.T) {
	scenarios, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	plane := controlplane.ForTest(t)
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	// Those that disturb the whole control plane come last and one by one.
	t.Run("together", func(t *testing.T) {
		for _, scenario := range scenarios {
			if !scenario.Exclusive {
				t.Run(scenario.ID, func(t *testing.T) {
					t.Parallel()
					check(t, plane, breaker, scenario)
				})
			}
		}
	})
	for _, scenario := range scenarios {
		if scenario.Exclusive {
			t.Run(scenario.ID, func(t *testing.T) {
				check(t, plane, breaker, scenario)
				if err := plane.ResumeControllerManager(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func check(t *testing.T, plane *controlplane.ControlPlane, breaker *zoo.Breaker, scenario zoo.Scenario) {
	defer func() {
		if err := breaker.Clean(context.WithoutCancel(t.Context()), scenario); err != nil {
			t.Error(err)
		}
	}()
	if err := breaker.Break(t.Context(), scenario); err != nil {
		t.Fatal(err)
	}
	user, groups := "asks-"+strings.ToLower(scenario.ID), []string{controlplane.ClusterAdmins}
	if scenario.As != nil {
		groups = nil
		if err := plane.Grant(t.Context(), user, "", scenario.As.Rules...); err != nil {
			t.Fatal(err)
		}
	}
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "zoo", user, groups...)
	if err != nil {
		t.Fatal(err)
	}
	diagnosis, human := why(t, kubeconfig, scenario)
	compare(t, scenario, diagnosis)
	t.Logf("%s: %s\n%s", scenario.ID, scenario.Title, human)
	requests, err := plane.Requests(context.WithoutCancel(t.Context()), user, kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	heal(t, breaker, scenario, diagnosis)
	if len(requests) == 0 {
		t.Error("the audit log has no request of this user: nothing was proven")
	}
	for _, request := range requests {
		if request.Writes() {
			t.Errorf("why sent a write: %s %s", request.Verb, request.RequestURI)
		}
	}
}

// heal follows the remedies that the scenario names, to the letter, and waits until the target is
// gone: advice that doesn't help is worse than none.
func heal(t *testing.T, breaker *zoo.Breaker, scenario zoo.Scenario, diagnosis *report.Diagnosis) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range scenario.Want.Heals {
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
	if len(scenario.Want.Heals) > 0 {
		gone := zoo.Until{Object: zoo.Object{Object: scenario.Target, Namespace: scenario.Namespace}, Gone: true}
		if err := breaker.Await(t.Context(), gone); err != nil {
			t.Errorf("the remedies were followed, and the target is still there: %v", err)
		}
	}
}

// why asks twice: for programs, and for people.
func why(t *testing.T, kubeconfig string, scenario zoo.Scenario) (*report.Diagnosis, string) {
	t.Helper()
	ask := func(format string) string {
		var out, errOut bytes.Buffer
		args := []string{"why", scenario.Target, "--kubeconfig", kubeconfig, "-o", format}
		if scenario.Namespace != "" {
			args = append(args, "-n", scenario.Namespace)
		}
		streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
		if code := cli.Execute(t.Context(), streams, args); code != 0 {
			t.Fatalf("why %s: exit code %d\n%s%s", scenario.Target, code, &out, &errOut)
		}
		return out.String()
	}
	var diagnosis report.Diagnosis
	if err := json.Unmarshal([]byte(ask("json")), &diagnosis); err != nil {
		t.Fatal(err)
	}
	return &diagnosis, ask("human")
}

func compare(t *testing.T, scenario zoo.Scenario, diagnosis *report.Diagnosis) {
	t.Helper()
	if got := string(diagnosis.Verdict); got != scenario.Want.Verdict {
		t.Errorf("the verdict is %s, want %s", got, scenario.Want.Verdict)
	}
	var causes []zoo.Cause
	for i, cause := range diagnosis.RootCauses {
		found := zoo.Cause{Reason: string(cause.Reason), Object: cause.Object.Kind + "/" + cause.Object.Path()}
		if cause.Count > 1 {
			found.Count = cause.Count
		}
		// The path is compared where the scenario says what it must be.
		if wanted := wantedCause(scenario, found); wanted != nil && wanted.Path != nil {
			for _, ref := range diagnosis.RootCauses[i].Path {
				found.Path = append(found.Path, ref.Kind+"/"+ref.Name)
			}
		}
		causes = append(causes, found)
		checkCause(t, cause)
	}
	byObject := cmpopts.SortSlices(func(a, b zoo.Cause) bool { return a.Reason+a.Object < b.Reason+b.Object })
	if diff := cmp.Diff(scenario.Want.Causes, causes, byObject, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("root causes (-want +got):\n%s", diff)
	}
	var unreadable []string
	for _, one := range diagnosis.Unreadable {
		unreadable = append(unreadable, one.Resource)
	}
	if diff := cmp.Diff(scenario.Want.Unreadable, unreadable, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("unreadable (-want +got):\n%s", diff)
	}
	for _, text := range scenario.Want.Says {
		if !strings.Contains(diagnosis.Summary, text) {
			t.Errorf("the summary doesn't say %q: %s", text, diagnosis.Summary)
		}
	}
}

func wantedCause(scenario zoo.Scenario, found zoo.Cause) *zoo.Cause {
	for _, wanted := range scenario.Want.Causes {
		if wanted.Reason == found.Reason && wanted.Object == found.Object {
			return &wanted
		}
	}
	return nil
}

// checkCause holds every cause to what people and programs are promised.
func checkCause(t *testing.T, cause report.RootCause) {
	t.Helper()
	if len(cause.Evidence) == 0 || len(cause.Path) == 0 || len(cause.Remedies) == 0 {
		t.Errorf("%s has evidence %v, path %v, remedies %v; none may be empty", cause.Reason, cause.Evidence, cause.Path, cause.Remedies)
	}
	risks := map[graph.Risk]int{graph.NoRisk: 0, graph.Disruption: 1, graph.Orphans: 2, graph.DataLoss: 3}
	for i, remedy := range cause.Remedies {
		if i > 0 && risks[remedy.Risk] < risks[cause.Remedies[i-1].Risk] {
			t.Errorf("%s: remedy %d is safer than the one before it", cause.Reason, i+1)
		}
		if remedy.Command != "" && !strings.Contains(remedy.Command, "--context zoo") {
			t.Errorf("%s: the command is not complete: %s", cause.Reason, remedy.Command)
		}
	}
}
