package finding

// StepDetails are the parameters of steps.
type StepDetails struct {
	Object *Ref     `json:"object,omitempty"`
	Other  *Ref     `json:"other,omitempty"`
	Name   string   `json:"name,omitempty"`
	Names  []string `json:"names,omitempty"`
	Count  int      `json:"count,omitempty"`
	// Text is somebody else's words: the catalogue's.
	Text string `json:"text,omitempty"`
	// State says how the object fares.
	State *Phrase `json:"state,omitempty"`
	// Loss is what is lost by force.
	Loss *Loss `json:"loss,omitempty"`
	// Alone says that the step is one of several that are needed.
	Partial bool `json:"partial,omitempty"`
}

// StopDetails are those of stopping a workload.
type StopDetails struct {
	Workload Ref `json:"workload"`
	// TakesClaims says that the claims of a StatefulSet go with its pods, or may: Policy is what decides, whenScaled
	// of its persistentVolumeClaimRetentionPolicy, and empty if that can't be read.
	TakesClaims bool   `json:"takesClaims,omitempty"`
	Policy      string `json:"policy,omitempty"`
}
