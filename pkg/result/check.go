package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "Error"   // never honoured, or acted on wrongly
	Warning Severity = "Warning" // should not be so for long, or will matter
	Info    Severity = "Info"    // harmless as it is
)

// The reasons of findings that are no root causes of anything yet. They join those of pkg/finding.
const (
	InvalidFinalizer     finding.Reason = "InvalidFinalizer"     // the API server's rules for names don't allow it
	UnqualifiedFinalizer finding.Reason = "UnqualifiedFinalizer" // no domain: whose it is can't be told
	DuplicateFinalizer   finding.Reason = "DuplicateFinalizer"   // twice on one object
	OwnerMissing         finding.Reason = "OwnerMissing"         // the owner doesn't exist, or is another object by now
	OwnerCycle           finding.Reason = "OwnerCycle"           // in the end, it owns itself
	DependentUnwatched   finding.Reason = "DependentUnwatched"   // of a kind that the garbage collector doesn't watch
)

// Check is what will go wrong, or does already, without a question about it. Its kind is CheckReport.
type Check struct {
	APIVersion  string    `json:"apiVersion"`
	Kind        string    `json:"kind"`
	GeneratedAt time.Time `json:"generatedAt"`
	Namespace   string    `json:"namespace,omitempty"` // that was asked about; absent for all
	Owned       int       `json:"owned"`               // objects with owners that were looked at
	Held        int       `json:"held"`                // objects with finalizers that were looked at
	Findings    []Finding `json:"findings"`
	Notes       []string  `json:"notes,omitempty"` // what the findings rest on, and what their absence doesn't prove
	// Ask is the command that lists what is Terminating already, with what blocks it.
	Ask        finding.Command      `json:"ask,omitempty"`
	Unreadable []finding.Unreadable `json:"unreadable"`
	Doubtful   bool                 `json:"-"` // the notes have something that is wrong, if it matters
	Clusters   []Cluster            `json:"clusters,omitempty"`
	Shared     []SharedCause        `json:"sharedFindings,omitempty"` // the findings across the clusters
}

// Finding is something that is wrong with one object, or with several that are alike.
type Finding struct {
	Severity  Severity           `json:"severity"`
	Reason    finding.Reason     `json:"reason"`
	Reference finding.Ownership  `json:"reference,omitempty"` // what is wrong with the owner reference
	Object    finding.Ref        `json:"object"`
	Owner     *finding.Ref       `json:"owner,omitempty"` // that the reference names
	Finalizer string             `json:"finalizer,omitempty"`
	Message   string             `json:"message"`
	InShort   finding.InShort    `json:"-"`                   // the message, as the default output has it
	Situation string             `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details   any                `json:"details,omitempty"`
	Certainty finding.Certainty  `json:"certainty,omitempty"` // empty where the finding is what was read
	Count     int                `json:"count"`               // objects with this finding, Object included
	Others    []finding.Ref      `json:"others,omitempty"`
	Evidence  []finding.Evidence `json:"evidence"`
	Remedies  []finding.Remedy   `json:"remedies"`
	// AtFault is the same for findings that one program is to blame for; empty where no more than this one is known.
	AtFault string `json:"-"`
}
