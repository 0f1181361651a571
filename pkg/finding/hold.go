package finding

// HoldType says which of an object's lists, or its grace period, keeps it from going.
type HoldType string

// The ways in which the API server keeps a Terminating object (deletion-mechanics 0.1).
const (
	GracePeriod   HoldType = "GracePeriod"   // a Pod whose kubelet has not confirmed its end
	Finalizer     HoldType = "Finalizer"     // an entry of metadata.finalizers
	SpecFinalizer HoldType = "SpecFinalizer" // an entry of a Namespace's spec.finalizers
)

// Hold is one thing that keeps an object from going.
type Hold struct {
	Type HoldType `json:"type"`
	Name string   `json:"name,omitempty"` // of the finalizer
}

// EdgeType says how two objects belong together.
type EdgeType string

// WaitsFor is the only type that blocks.
const (
	WaitsFor EdgeType = "WaitsFor" // a hold of From waits for To, or for an answer from it
	Owns     EdgeType = "Owns"     // To has an owner reference to From
	Contains EdgeType = "Contains" // From is the Namespace of To
)
