package finding

import "time"

// StillInUseDetails are those of StillInUse: what is known of the user.
type StillInUseDetails struct {
	Phase      string     `json:"phase,omitempty"`      // of a pod
	FinishedAt *time.Time `json:"finishedAt,omitempty"` // when its last container ended
	Workload   *Ref       `json:"workload,omitempty"`   // that runs it
	Use        *Phrase    `json:"use,omitempty"`        // how it uses the object, or what became of it
	Of         *Ref       `json:"of,omitempty"`         // the object that it uses
	Field      string     `json:"field,omitempty"`      // by which it refers to that
	Node       string     `json:"node,omitempty"`       // on which it uses it
	Resource   string     `json:"resource,omitempty"`   // of the user, where only a name is known
	Address    string     `json:"address,omitempty"`    // that it has, of Ranges
	Ranges     []string   `json:"ranges,omitempty"`

	// Says is what the catalogue says of it, of a Project: completes "Pod x …". Unverified: nobody checked that.
	Says       string `json:"says,omitempty"`
	Project    string `json:"project,omitempty"`
	Unverified bool   `json:"unverified,omitempty"`
}

// DeclaredWaitDetails are those of an object of which it isn't clear whether a finalizer waits for it, by what the
// catalogue says.
type DeclaredWaitDetails struct {
	Candidate Ref    `json:"candidate"`
	RemovedBy string `json:"removedBy"`
	WaitsFor  string `json:"waitsFor"`
}
