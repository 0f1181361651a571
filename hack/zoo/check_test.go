package zoo_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// checkFinds compares what check -A finds of a scenario with what it must find: with all rights, with the role of
// docs/rbac and nothing more, and from a recording. With less, it may find less, and must say so.
func (k *keeper) checkFinds(t *testing.T, scenario zoo.Scenario, asker *asker) {
	t.Helper()
	full := checkOf(t, asker.run(t.Context(), "check", "-A", "-o", "json", "--kubeconfig", asker.kubeconfig))
	used := asker.requests(t)
	checkReads(t, used)
	t.Logf("%s: check -A sent %d requests", scenario.ID, len(used))
	want := ownFindings(scenario, full)
	compareFound(t, scenario.Check, full)
	file := filepath.Join(t.TempDir(), "all")
	now := k.newMoment(t, asker.at)
	if made := now.run(t.Context(), "snapshot", "-A", "-o", file, "--kubeconfig", now.kubeconfig); made.code != 0 {
		t.Fatalf("snapshot -A: exit code %d\n%s", made.code, made.errOut)
	}
	now.checkReads(t)
	reader := k.within(t, now, mayRead(k.everywhere))
	for what, args := range map[string][]string{
		"with the role of docs/rbac": {"--kubeconfig", reader.kubeconfig}, "from a recording": {"--snapshot", file},
	} {
		args = append([]string{"check", "-A", "-o", "json"}, args...)
		got := ownFindings(scenario, checkOf(t, asker.run(t.Context(), args...)))
		if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("check -A %s (-with all rights +got):\n%s", what, diff)
		}
	}
	if !*record {
		k.checkWithLess(t, scenario, want, used, now)
	}
}

// checkWithLess checks again without each permission that was used, but those for scans alone, and with each API group
// failing.
func (k *keeper) checkWithLess(
	t *testing.T, scenario zoo.Scenario, want []string, used []controlplane.Request, now *moment,
) {
	t.Helper()
	var lacks []lack
	seen := map[string]bool{}
	for _, request := range used {
		needed, about := request.Permission()
		if !about || strings.Contains(request.RequestURI, "limit=50000") {
			continue
		}
		if !seen[needed.String()] {
			seen[needed.String()] = true
			lacks = append(lacks, withoutPermission(needed))
		}
		if needed.Group != "" && !seen[needed.Group] {
			seen[needed.Group] = true
			lacks = append(lacks, withoutGroup(needed.Group))
		}
	}
	each(lacks, func(lacking lack) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		got, met := k.lacking(t, lacking, now.answers, func(flags ...string) reply {
			return now.run(ctx, append([]string{"check", "-A"}, flags...)...)
		})
		lesser := checkOf(t, got)
		found := ownFindings(scenario, lesser)
		for _, text := range found {
			if !slices.Contains(want, text) && !slices.ContainsFunc(want, func(full string) bool {
				return strings.TrimSuffix(full, " Proven") == strings.TrimSuffix(text, " Likely")
			}) {
				t.Errorf("%s: %s is concluded from less", lacking.what, text)
			}
		}
		met.mu.Lock()
		defer met.mu.Unlock()
		if len(found) < len(want) && !slices.ContainsFunc(lesser.Unreadable, func(unreadable finding.Unreadable) bool {
			return lacking.named(unreadable.Resource)
		}) {
			t.Errorf("%s: %d of %d findings, and it is not said what could not be read: %v",
				lacking.what, len(found), len(want), lesser.Unreadable)
		}
		for _, problem := range met.problems {
			t.Errorf("%s: %s", lacking.what, problem)
		}
	})
	t.Logf("%s: checked %d times with less", scenario.ID, len(lacks))
}

func checkOf(t *testing.T, got reply) *result.Check {
	t.Helper()
	var check result.Check
	if err := json.Unmarshal([]byte(got.out), &check); err != nil || got.code != 0 {
		t.Errorf("check: exit code %d, %v\n%s", got.code, err, got.errOut)
	}
	return &check
}

// ownFindings are the findings about objects that are named after a scenario: REASON OBJECT CERTAINTY.
func ownFindings(scenario zoo.Scenario, check *result.Check) (found []string) {
	for _, cause := range check.Findings {
		if strings.Contains(cause.Object.String(), strings.ToLower(scenario.ID)) {
			found = append(found, string(cause.Reason)+" "+cause.Object.String()+" "+string(cause.Certainty))
		}
	}
	return found
}

func compareFound(t *testing.T, want *zoo.Check, check *result.Check) {
	t.Helper()
	nameOf := func(cause result.Finding) string { return cause.Object.Kind + "/" + cause.Object.Path() }
	for _, found := range want.Finds {
		at := slices.IndexFunc(check.Findings, func(cause result.Finding) bool {
			return string(cause.Reason) == found.Reason && nameOf(cause) == found.Object
		})
		if at < 0 {
			t.Errorf("check doesn't find %s of %s", found.Reason, found.Object)
			continue
		}
		one := check.Findings[at]
		if found.Certainty != "" && string(one.Certainty) != found.Certainty {
			t.Errorf("check is %s of %s, want %s", one.Certainty, found.Object, found.Certainty)
		}
		for _, text := range found.Says {
			if !strings.Contains(one.Message, text) {
				t.Errorf("check doesn't say %q: %s", text, one.Message)
			}
		}
		for _, text := range found.NotSays {
			if strings.Contains(one.Message, text) {
				t.Errorf("check says %q: %s", text, one.Message)
			}
		}
	}
	for _, one := range check.Findings {
		if slices.Contains(want.Silent, nameOf(one)) {
			t.Errorf("check finds %s: %s", nameOf(one), one.Message)
		}
	}
}
