package finding

// StorageDriverDetails are those of what a storage driver has yet to do.
type StorageDriverDetails struct {
	Driver string  `json:"driver"`
	Task   *Phrase `json:"task,omitempty"`
	Words  string  `json:"words,omitempty"` // by which the driver, or who acts for it, reports why it can't
	// Ready and Wanted are pods of the driver's workload.
	Ready   int32 `json:"ready,omitempty"`
	Wanted  int32 `json:"wanted,omitempty"`
	Overdue bool  `json:"overdue,omitempty"` // the driver should have done it by now
}

// VolumeDetails are those of tasks and steps that are about a volume.
type VolumeDetails struct {
	Volume *Ref   `json:"volume,omitempty"`
	Node   string `json:"node,omitempty"`   // to which it is attached
	Policy string `json:"policy,omitempty"` // for reclaiming it
	// Handle is the volume's name at its Driver, and Storage what the volume names of where its data are.
	Handle  string  `json:"handle,omitempty"`
	Driver  string  `json:"driver,omitempty"`
	Storage []Named `json:"storage,omitempty"`
	Gone    bool    `json:"gone,omitempty"` // there is no such volume any more, or none yet
	// Entries is how many finalizers the step removes, and Attached says that one of them is an attacher's.
	Entries  int  `json:"entries,omitempty"`
	Attached bool `json:"attached,omitempty"`
}
