package finding

import "cmp"

// Reason is the code of a root cause. The codes are part of the command's interface.
type Reason string

// The reasons, and the object that each one names.
const (
	ControllerMissing            Reason = "ControllerMissing"            // the held object
	ControllerDown               Reason = "ControllerDown"               // the workload
	ControllerForbidden          Reason = "ControllerForbidden"          // the held object
	ControllerFailing            Reason = "ControllerFailing"            // the held object
	ReconciliationPaused         Reason = "ReconciliationPaused"         // the object that bears the switch
	DeletionProtected            Reason = "DeletionProtected"            // the object that bears the switch
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
		ControllerMissing, ControllerDown, ControllerForbidden, ControllerFailing, ReconciliationPaused,
		DeletionProtected, ControllerUnknown, ControlPlaneDown, StillInUse, NodeNotReady, ContainerNotStopping,
		APIServiceUnavailable, WebhookUnavailable, AdmissionDenied, ConversionWebhookUnavailable, UpdateInvalid,
		UndecodableObject, OwnershipDeadlock, InvalidOwnerReference, UnresolvableOwner, DependentNotDeleted,
	}
}

// Certainty says how far the evidence carries a cause.
type Certainty string

// Proven: what was read leaves no other explanation. Likely: it could be otherwise. Unknown: it isn't known.
const (
	Proven  Certainty = "Proven"
	Likely  Certainty = "Likely"
	Unknown Certainty = "Unknown"
)

// Risk is the worst that a remedy can do.
type Risk string

// The risks, from harmless to irreversible.
const (
	NoRisk     Risk = "" // as programs see it, "None"
	Disruption Risk = "Disruption"
	Orphans    Risk = "Orphans"
	DataLoss   Risk = "DataLoss"
)

// String names the risk, as programs see it.
func (r Risk) String() string { return cmp.Or(string(r), "None") }

// MarshalText writes the risk's name.
func (r Risk) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (r *Risk) UnmarshalText(text []byte) error {
	if *r = Risk(text); *r == "None" {
		*r = NoRisk
	}
	return nil
}
