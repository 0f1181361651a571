package report

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Severity says how bad a reported is.
type Severity string

// The severities.
const (
	Error   Severity = "Error"   // never honoured, or acted on wrongly
	Warning Severity = "Warning" // should not be so for long, or will matter
	Info    Severity = "Info"    // harmless as it is
)

// The reasons of findings that are no root causes of anything yet. They join those of pkg/graph.
const (
	InvalidFinalizer     finding.Reason = "InvalidFinalizer"     // the API server's rules for names don't allow it
	UnqualifiedFinalizer finding.Reason = "UnqualifiedFinalizer" // no domain: whose it is can't be told
	DuplicateFinalizer   finding.Reason = "DuplicateFinalizer"   // twice on one object
	OwnerMissing         finding.Reason = "OwnerMissing"         // the owner doesn't exist, or is another object by now
	OwnerCycle           finding.Reason = "OwnerCycle"           // in the end, it owns itself
	DependentUnwatched   finding.Reason = "DependentUnwatched"   // of a kind that the garbage collector doesn't watch
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
	Severity  Severity          `json:"severity"`
	Reason    finding.Reason    `json:"reason"`
	Reference finding.Ownership `json:"reference,omitempty"` // what is wrong with the owner reference
	Object    finding.Ref       `json:"object"`
	Owner     *finding.Ref      `json:"owner,omitempty"` // that the reference names
	Finalizer string            `json:"finalizer,omitempty"`
	Message   string            `json:"message"`
	// Certainty is empty where the reported is what was read.
	Certainty finding.Certainty  `json:"certainty,omitempty"`
	Count     int                `json:"count"` // objects with this reported, Object included
	Others    []finding.Ref      `json:"others,omitempty"`
	Evidence  []finding.Evidence `json:"evidence"`
	Remedies  []finding.Remedy   `json:"remedies"`
}
