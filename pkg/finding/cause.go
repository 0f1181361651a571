package finding

import (
	"slices"
	"time"
)

// Reason is the code of a root cause. The codes are part of the command's interface.
type Reason string

// The reasons, and the object that each one names.
const (
	ControllerMissing            Reason = "ControllerMissing"            // the held object
	ControllerDown               Reason = "ControllerDown"               // the workload
	ControllerForbidden          Reason = "ControllerForbidden"          // the held object
	ControllerFailing            Reason = "ControllerFailing"            // the held object
	ControllerUnknown            Reason = "ControllerUnknown"            // the held object
	ControlPlaneDown             Reason = "ControlPlaneDown"             // the Lease
	StillInUse                   Reason = "StillInUse"                   // the user
	NodeNotReady                 Reason = "NodeNotReady"                 // the Node
	ContainerNotStopping         Reason = "ContainerNotStopping"         // the Pod
	APIServiceUnavailable        Reason = "APIServiceUnavailable"        // the APIService
	WebhookUnavailable           Reason = "WebhookUnavailable"           // the webhook configuration
	AdmissionDenied              Reason = "AdmissionDenied"              // the policy or webhook configuration
	ConversionWebhookUnavailable Reason = "ConversionWebhookUnavailable" // the CustomResourceDefinition
	UpdateInvalid                Reason = "UpdateInvalid"                // the held object
	UndecodableObject            Reason = "UndecodableObject"            // the CustomResourceDefinition, or the object
	OwnershipDeadlock            Reason = "OwnershipDeadlock"            // an object of the cycle
	InvalidOwnerReference        Reason = "InvalidOwnerReference"        // the dependent
	UnresolvableOwner            Reason = "UnresolvableOwner"            // the dependent
	DependentNotDeleted          Reason = "DependentNotDeleted"          // the dependent
)

// Reasons returns all codes, in the order of the list above.
func Reasons() []Reason {
	return []Reason{
		ControllerMissing,
		ControllerDown,
		ControllerForbidden,
		ControllerFailing,
		ControllerUnknown,
		ControlPlaneDown,
		StillInUse,
		NodeNotReady,
		ContainerNotStopping,
		APIServiceUnavailable,
		WebhookUnavailable,
		AdmissionDenied,
		ConversionWebhookUnavailable,
		UpdateInvalid,
		UndecodableObject,
		OwnershipDeadlock,
		InvalidOwnerReference,
		UnresolvableOwner,
		DependentNotDeleted,
	}
}

// Certainty says how far the evidence carries a cause.
type Certainty string

// Proven: what was read leaves no other explanation. Likely: it could be otherwise. Unknown: the
// cause is that something isn't known.
const (
	Proven  Certainty = "Proven"
	Likely  Certainty = "Likely"
	Unknown Certainty = "Unknown"
)

// Risk is the worst that a remedy can do.
type Risk string

// The risks, from harmless to irreversible.
const (
	NoRisk     Risk = "None"
	Disruption Risk = "Disruption"
	Orphans    Risk = "Orphans"
	DataLoss   Risk = "DataLoss"
)

// Evidence is one observation and where it was read.
type Evidence struct {
	Source   string     `json:"source"`
	Observed string     `json:"observed"`
	Object   *Ref       `json:"object,omitempty"`
	At       *time.Time `json:"at,omitempty"`
}

// Remedy is one thing to do, the complete command for it, and what it costs.
type Remedy struct {
	Action  string  `json:"action"`
	Command Command `json:"command,omitempty"`
	Risk    Risk    `json:"risk"`
	Loses   string  `json:"loses,omitempty"`
}

// Equal tells whether two remedies are the same.
func (r Remedy) Equal(other Remedy) bool {
	return r.Action == other.Action && r.Risk == other.Risk && r.Loses == other.Loses && slices.Equal(r.Command, other.Command)
}

// Forces tells whether a remedy is this program's removal of finalizers by force.
func (r Remedy) Forces() bool { return r.Command.StartsWith("kubectl", "finalizers", "remove") }

// Cause is a leaf of the blocking graph that somebody has to fix.
type Cause struct {
	Reason    Reason
	Object    Ref
	Finalizer string // where one is involved
	// Also are further finalizers of the object that one and the same thing should remove.
	Also []string
	// Message is one sentence that stands alone.
	Message string
	// Awaited completes the sentence "X waits for …".
	Awaited   string
	Certainty Certainty
	Evidence  []Evidence
	Remedies  []Remedy // safest first
	// Candidates may be the ones to remove the finalizer: they run, or nobody could look whether they do.
	// Whoever removes it by force may be working against them.
	Candidates []Ref
	// Unread is what would have to be read to tell whose the finalizer is.
	Unread []string
	// Alike joins causes that are one and the same but for the object. Causes with an equal,
	// non-empty Alike are told once and counted; Several is then the Awaited of them all.
	Alike   string
	Several func(count int) string
}
