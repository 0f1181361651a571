package zoo_test

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// flaws are what is wrong in owners.yaml, by dependent.
func flaws() map[string]graph.Ownership {
	return map[string]graph.Ownership{
		"a02-absent": graph.OwnerAbsent, "a03-replaced": graph.OwnerReplaced, "a04-misnamed": graph.OwnerMisnamed, "a06-unserved": graph.OwnerUnserved,
		"a07-elsewhere": graph.OwnerElsewhere, "views-a08-cluster-scoped": graph.DependentClusterScoped, "a19-self": graph.OwnersCycle, "cycle-1": graph.OwnersCycle, "cycle-2": graph.OwnersCycle,
	}
}

func (v *viewer) checkCheck() {
	v.t.Helper()
	var check report.Check
	v.decode(&check, v.admin, "check", "-A")
	v.t.Log(v.run(v.admin, "check", "-A").out)
	found := map[string]map[graph.Ownership]bool{}
	complained := map[string]bool{}
	reasons := map[graph.Reason]bool{}
	for _, reported := range check.Findings {
		if slices.ContainsFunc(reported.Evidence, func(one graph.Evidence) bool { return one.Source == "event OwnerRefInvalidNamespace" }) {
			complained[reported.Object.Name] = true
		}
		for _, ref := range append([]graph.Ref{reported.Object}, reported.Others...) {
			if found[ref.Name] == nil {
				found[ref.Name] = map[graph.Ownership]bool{}
			}
			found[ref.Name][reported.Reference] = true
			if ref.Name == "plain" {
				reasons[reported.Reason] = true
			}
		}
	}
	for name, flaw := range flaws() {
		if !found[name][flaw] {
			v.t.Errorf("%s: %s is not found, but %v", name, flaw, found[name])
		}
	}
	for _, name := range []string{"a01-valid", "a05-version", "a09-cluster-owner", "owner"} {
		if found[name] != nil {
			v.t.Errorf("%s is fine, and %v is found", name, found[name])
		}
	}
	if !complained["a07-elsewhere"] || !complained["views-a08-cluster-scoped"] || complained["a02-absent"] {
		v.t.Errorf("the garbage collector's events are tied to %v", complained)
	}
	if !reasons[report.DuplicateFinalizer] || !reasons[report.UnqualifiedFinalizer] {
		v.t.Errorf("the finalizers of widget/plain: %v", reasons)
	}
	v.checkControllers(check)
	if code := v.run(v.admin, "check", "-A", "--exit-code").code; code != 2 {
		v.t.Errorf("check --exit-code ends with %d", code)
	}
}

// checkControllers looks for the live objects whose operator is missing or down among the findings, each kind once.
func (v *viewer) checkControllers(check report.Check) {
	v.t.Helper()
	found := map[string]string{}
	for _, reported := range check.Findings {
		if reported.Finalizer == "keep.example.com/cleanup" {
			found[reported.Object.Kind] += fmt.Sprintf("%s × %d", reported.Reason, reported.Count)
		}
	}
	want := map[string]string{"Left": "ControllerMissing × 3", "Paused": "ControllerDown × 2"}
	if diff := cmp.Diff(want, found); diff != "" {
		v.t.Errorf("finalizers of operators that are missing, down and running (-want +got):\n%s", diff)
	}
}
