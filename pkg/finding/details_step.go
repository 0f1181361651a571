package finding

// StepDetails are those of steps that need little.
type StepDetails struct {
	Object *Ref     `json:"object,omitempty"`
	Other  *Ref     `json:"other,omitempty"` // that the step is about, too
	Name   string   `json:"name,omitempty"`
	Names  []string `json:"names,omitempty"`
}

// StopDetails are those of stopping a workload.
type StopDetails struct {
	Workload Ref `json:"workload"`
	// TakesClaims says that the claims of a StatefulSet go with its pods, or may: Policy is what decides, whenScaled
	// of its persistentVolumeClaimRetentionPolicy, and empty if that can't be read.
	TakesClaims bool   `json:"takesClaims,omitempty"`
	Policy      string `json:"policy,omitempty"`
}
