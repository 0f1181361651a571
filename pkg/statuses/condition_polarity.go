package statuses

import (
	"slices"
	"strings"
)

// polarity is what it means that a condition holds.
type polarity int

const (
	untold polarity = iota
	good            // Ready, Synced, Accepted: False says little of what is being deleted
	bad             // Degraded, Stalled, DeletionBlocked
	going           // Deleting, Reconciling: its words say how that goes
	halted          // Paused, Suspended
)

// polarityOf tells a condition by its type. Known types come first: Kubernetes' and kstatus' (sigs.k8s.io/cli-utils
// pkg/kstatus/status/generic.go:checkGenericProperties), Cluster API's, Crossplane's, Knative's and Gateway API's; then
// its words.
func polarityOf(kind string) polarity {
	words := wordsOf(kind)
	if len(words) == 0 {
		return untold
	}
	last := words[len(words)-1]
	switch {
	case slices.Contains([]string{"paused", "suspended", "held"}, last):
		return halted
	case Judge(kind) == Trouble, slices.Contains([]string{
		"pressure", "irreconcilable", "unreconcilable", "inconsistent", "incompatible", "impaired", "conflicted",
	}, last), strings.EqualFold(kind, "OutOfSync"):
		return bad
	case goes(kind), slices.Contains([]string{"reconciling", "progressing"}, last):
		return going
	case slices.Contains([]string{
		"ready", "available", "synced", "healthy", "initialized", "established", "accepted", "programmed", "refs",
		"succeeded", "complete", "completed", "reconciled", "provisioned", "valid", "bound", "scheduled", "deployed",
		"active", "running", "resolved", "installed", "released", "connected", "online", "live", "created", "configured",
	}, last):
		return good
	}
	return untold
}

// goes reports whether a condition is about the deletion: Deleting, Terminating, FinalizersRemoved, CleanedUp.
func goes(kind string) bool {
	kind = strings.ToLower(kind)
	return slices.ContainsFunc([]string{"delet", "terminat", "finaliz", "clean"}, func(part string) bool {
		return strings.Contains(kind, part)
	})
}

// holds reports whether a condition is true. Where conditions have no status, one is there while it is true, as Argo
// CD's (argoproj/argo-cd pkg/apis/application/v1alpha1/types.go:ApplicationCondition).
func holds(status string) bool { return status == "True" || status == "" }

// troubled reports whether a condition says that something is wrong. Conditions that are good when true are False on
// everything that is being deleted, so the words have to say more than that. Who doesn't know doesn't complain.
func troubled(kind, status, words string) bool {
	sense, of := Judge(words), polarityOf(kind)
	switch {
	case status == "Unknown" || sense == Conflict:
		return false
	case of == bad:
		return holds(status)
	case of == going && goes(kind), status == "":
		return sense == Trouble
	}
	return status != "True" && sense == Trouble
}

// well reports whether a condition's type and status say that nothing is wrong, whatever its words.
func well(kind, status string) bool {
	switch polarityOf(kind) {
	case good:
		return status == "True"
	case bad, halted:
		return status == "False"
	}
	return false
}

// conditionName is a condition in words. One without a status just is there.
func conditionName(kind, status string) string {
	if status == "" {
		return "condition " + kind
	}
	return "condition " + kind + " is " + status
}
