package finding

import "time"

// StillInUseDetails are those of StillInUse: what is known of the user.
type StillInUseDetails struct {
	Phase      string     `json:"phase,omitempty"`      // of a pod
	FinishedAt *time.Time `json:"finishedAt,omitempty"` // when its last container ended
	Workload   *Ref       `json:"workload,omitempty"`   // that runs it
	Use        *Phrase    `json:"use,omitempty"`        // how it uses the object
}
