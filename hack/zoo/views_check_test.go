package zoo_test

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// flaws are what is wrong in owners.yaml, by dependent.
func flaws() map[string]finding.Ownership {
	return map[string]finding.Ownership{
		"a02-absent": finding.OwnerAbsent, "a03-replaced": finding.OwnerReplaced, "a04-misnamed": finding.OwnerMisnamed,
		"a06-unserved":  finding.OwnerUnserved,
		"a07-elsewhere": finding.OwnerElsewhere, "views-a08-cluster-scoped": finding.DependentClusterScoped,
		"a19-self": finding.OwnersCycle, "cycle-1": finding.OwnersCycle, "cycle-2": finding.OwnersCycle,
	}
}

func (v *viewer) checkCheck() {
	v.t.Helper()
	var check result.Check
	v.decode(&check, v.admin, "check", "-A")
	v.show("check", "-A")
	found := map[string]map[finding.Ownership]bool{}
	complained := map[string]bool{}
	reasons := map[finding.Reason]bool{}
	for _, reported := range check.Findings {
		if slices.ContainsFunc(reported.Evidence,
			func(evidence finding.Evidence) bool { return evidence.Source == "event OwnerRefInvalidNamespace" }) {
			complained[reported.Object.Name] = true
		}
		for _, ref := range append([]finding.Ref{reported.Object}, reported.Others...) {
			if found[ref.Name] == nil {
				found[ref.Name] = map[finding.Ownership]bool{}
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
	if !reasons[result.DuplicateFinalizer] || !reasons[result.UnqualifiedFinalizer] {
		v.t.Errorf("the finalizers of widget/plain: %v", reasons)
	}
	v.checkControllers(check)
	if code := v.run(v.admin, "check", "-A", "--exit-code").code; code != 2 {
		v.t.Errorf("check --exit-code ends with %d", code)
	}
}

// checkControllers looks for the live objects whose operator is missing or down among the findings, each kind once.
func (v *viewer) checkControllers(check result.Check) {
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
