package report

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "Error"   // never honoured, or acted on wrongly
	Warning Severity = "Warning" // should not be so for long, or will matter
	Info    Severity = "Info"    // harmless as it is
)

// The reasons of findings that are no root causes of anything yet. They join those of pkg/graph.
const (
	InvalidFinalizer     graph.Reason = "InvalidFinalizer"     // the API server's rules for names don't allow it
	UnqualifiedFinalizer graph.Reason = "UnqualifiedFinalizer" // no domain: whose it is can't be told
	DuplicateFinalizer   graph.Reason = "DuplicateFinalizer"   // twice on one object
	OwnerMissing         graph.Reason = "OwnerMissing"         // the owner doesn't exist, or is another object by now
	OwnerCycle           graph.Reason = "OwnerCycle"           // in the end, it owns itself
	DependentUnwatched   graph.Reason = "DependentUnwatched"   // of a kind that the garbage collector doesn't watch
)

// Check is what will go wrong, or does already, with nobody having asked. Its kind is CheckReport.
type Check struct {
	APIVersion  string    `json:"apiVersion"`
	Kind        string    `json:"kind"`
	GeneratedAt time.Time `json:"generatedAt"`
	// Objects are how many objects with owners, and with finalizers, were looked at.
	Owned    int       `json:"owned"`
	Held     int       `json:"held"`
	Findings []Finding `json:"findings"`
	// Notes say what the findings rest on, and what their absence doesn't prove.
	Notes      []string     `json:"notes,omitempty"`
	Unreadable []Unreadable `json:"unreadable"`
}

// Finding is something that is wrong with one object, or with several that are alike.
type Finding struct {
	Severity  Severity        `json:"severity"`
	Reason    graph.Reason    `json:"reason"`
	Reference graph.Ownership `json:"reference,omitempty"` // what is wrong with the owner reference
	Object    graph.Ref       `json:"object"`
	Owner     *graph.Ref      `json:"owner,omitempty"` // that the reference names
	Finalizer string          `json:"finalizer,omitempty"`
	Message   string          `json:"message"`
	// Certainty is empty where the finding is what was read.
	Certainty graph.Certainty  `json:"certainty,omitempty"`
	Count     int              `json:"count"` // objects with this finding, Object included
	Others    []graph.Ref      `json:"others,omitempty"`
	Evidence  []graph.Evidence `json:"evidence"`
	Remedies  []graph.Remedy   `json:"remedies"`
}
