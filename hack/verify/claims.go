package main

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// outcome is what became of a claim.
type outcome string

const (
	held         outcome = "held"
	drifted      outcome = "drifted"
	notCheckable outcome = "not checkable"
)

// result is what became of one claim of an entry.
type result struct {
	claim   string // as workloads: Deployment/cert-manager
	outcome outcome
	why     string
}

// source is what a module says.
type source struct {
	*goSource
	*manifests
}

// claim checks one kind of claim.
type claim struct {
	field string
	of    func(plugins.Finalizer) []string
	check func(context.Context, *source, plugins.Finalizer, string) (outcome, string)
	// alternatives says that what the entry has several of need not all be there.
	alternatives bool
}

// claims are what is checked of each entry.
func claims() []claim {
	return []claim{
		{"symbols", func(f plugins.Finalizer) []string { return f.Symbols }, checkSymbol, false},
		{"names", func(f plugins.Finalizer) []string { return f.Names }, checkName, true},
		{"kinds", func(f plugins.Finalizer) []string { return f.Kinds }, checkKind, true},
		{"workloads", func(f plugins.Finalizer) []string { return f.Workloads }, checkWorkload, true},
		{"leases", func(f plugins.Finalizer) []string { return f.Leases }, checkLease, true},
		{"resourceFields", func(f plugins.Finalizer) []string { return paths(f.ResourceFields) }, checkPath, true},
		{"statusFields", func(f plugins.Finalizer) []string { return paths(f.StatusFields) }, checkPath, true},
		{"switches", switchPaths, checkPath, false},
	}
}

func paths(fields []plugins.Field) []string {
	var found []string
	for _, field := range fields {
		found = append(found, field.Path)
	}
	return found
}

func switchPaths(f plugins.Finalizer) []string {
	var found []string
	for _, one := range f.Switches {
		if one.Of == "" { // else it is a field of another kind, and that may be another project's
			found = append(found, one.Path)
		}
	}
	return found
}

// checkAll checks all claims of an entry.
func checkAll(ctx context.Context, s *source, f plugins.Finalizer) []result {
	var results []result
	for _, claim := range claims() {
		var checked []result
		for _, claimed := range claim.of(f) {
			outcome, why := claim.check(ctx, s, f, claimed)
			checked = append(checked, result{claim.field + ": " + claimed, outcome, why})
		}
		if claim.alternatives {
			checked = oneOf(checked)
		}
		results = append(results, checked...)
	}
	return results
}

// oneOf takes claims that need not all be true of one release: where one is, the others may be of another one.
func oneOf(checked []result) []result {
	if !slices.ContainsFunc(checked, func(r result) bool { return r.outcome == held }) {
		return checked
	}
	for i := range checked {
		if checked[i].outcome == drifted {
			checked[i].outcome, checked[i].why = notCheckable, "it may be of another release or chart"
		}
	}
	return checked
}
