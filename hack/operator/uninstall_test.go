package operator_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/operator"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/uninstall"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func uninstalls(t *testing.T) []operator.Uninstall {
	t.Helper()
	all, err := operator.Uninstalls()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEachIsUninstalled holds that the tests below leave no operator out without saying why.
func TestEachIsUninstalled(t *testing.T) {
	operators, err := operator.Operators()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range uninstalls(t) {
		delete(operators, one.Operator)
	}
	for name, one := range operators {
		if one.NotUninstalled != "" {
			continue
		}
		t.Errorf("uninstalls/%s.yaml is missing", name)
	}
}

// TestUninstall uninstalls each operator as people do it, which leaves objects stuck, and as the plan says, which
// leaves none: not of the operator, and not of anything else.
func TestUninstall(t *testing.T) {
	for _, one := range uninstalls(t) {
		t.Run(one.Operator, func(t *testing.T) {
			t.Run("operator first", func(t *testing.T) {
				harness, _ := used(t, one)
				if err := harness.DeleteOperatorFirst(t.Context(), one); err != nil {
					t.Fatal(err)
				}
				if stuck := stuckAfter(t, harness, one); len(stuck) == 0 {
					t.Error("nothing is stuck")
				}
			})
			t.Run("at once", func(t *testing.T) {
				harness, _ := used(t, one)
				if err := harness.DeleteAtOnce(t.Context(), one); err != nil {
					t.Fatal(err)
				}
				stuckAfter(t, harness, one) // none, if it is quick enough
			})
			t.Run("as planned", func(t *testing.T) {
				harness, people := used(t, one)
				carryOut(t, harness, people, one)
			})
		})
	}
}

// used has an operator at work on a control plane, and objects of people.
func used(t *testing.T, one operator.Uninstall) (*operator.Harness, *uninstall.People) {
	t.Helper()
	scenario := one.Scenario()
	bin := built(t, scenario)
	plane := controlplane.ForTest(t)
	harness := start(t, plane, bin)
	if err := harness.Break(t.Context(), scenario); err != nil {
		t.Fatal(err)
	}
	people, err := uninstall.NewPeople(t.Context(), plane, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		wrong, _, err := people.Wrote(t.Context(), plane)
		if err != nil || len(wrong) > 0 {
			t.Errorf("the planner has written, or has read Secrets: %v (%v)", wrong, err)
		}
	})
	return harness, people
}

// stuckAfter are the objects that are stuck, as soon as nothing changes any more.
func stuckAfter(t *testing.T, harness *operator.Harness, one operator.Uninstall) []string {
	t.Helper()
	left, err := harness.Settled(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d are stuck: %v; %d have finalizers of it", len(left.Terminating), left.Terminating, len(left.Held))
	return left.Terminating
}

// carryOut carries the script of the plan out. What people have, and stays, must not get stuck afterwards.
func carryOut(t *testing.T, harness *operator.Harness, people *uninstall.People, one operator.Uninstall) {
	t.Helper()
	folder := t.TempDir()
	for i, asks := range asksOf(t, harness, one, folder) {
		text, err := people.Ask(t.Context(), append([]string{"uninstall"}, asks...)...)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("uninstall %s\n%s", strings.Join(asks, " "), text)
		plan, err := people.Plan(t.Context(), asks)
		if err != nil {
			t.Fatal(err)
		}
		want := result.UninstallReady
		if one.Unclear {
			want = result.UninstallUnclear
		}
		if plan.State != want {
			t.Errorf("uninstall %v is %s, want %s: %s", asks, plan.State, want, plan.Summary)
		}
		flat := strings.Join(strings.Fields(text), " ")
		for _, says := range one.Says {
			if i == 0 && !strings.Contains(flat, says) {
				t.Errorf("it doesn't say %q", says)
			}
		}
	}
	asks := asksOf(t, harness, one, folder)[0]
	out, err := people.RunScript(t.Context(), folder, asks, 30)
	t.Log(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.AwaitNothingLeft(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if plan, err := people.Plan(t.Context(), asks); err == nil && plan.State != result.UninstallDone {
		t.Errorf("asked again, it is %s: %s", plan.State, plan.Summary)
	}
	if err := harness.Delete(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if err := harness.AwaitNothingLeft(t.Context(), one); err != nil {
		t.Fatal(err)
	}
}

// asksOf are the arguments of uninstall, with a file of what was installed where they want one.
func asksOf(t *testing.T, harness *operator.Harness, one operator.Uninstall, folder string) [][]string {
	t.Helper()
	manifests, err := harness.Manifests(one.Operator)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "manifests.yaml")
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, asks := range one.Asks {
		asks = slices.Clone(asks)
		for i := range asks {
			asks[i] = strings.ReplaceAll(asks[i], "MANIFESTS", file)
		}
		all = append(all, asks)
	}
	return all
}
