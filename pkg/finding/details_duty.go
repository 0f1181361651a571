package finding

import "time"

// TaskDetails are those of what a controller has yet to do.
type TaskDetails struct {
	Object Ref  `json:"object,omitzero"` // that it then lets go of
	Other  *Ref `json:"other,omitempty"` // that decides about it: the Job of a pod, the Node that it ran on
}

// RetryDetails are those of what is tried again by itself.
type RetryDetails struct {
	Controller string `json:"controller"`
	Over       Phrase `json:"over"` // what was in the way, and is over
}

// DutyDetails are those of what a controller of kube-controller-manager has yet to do.
type DutyDetails struct {
	Task     Phrase     `json:"task"`
	Since    *time.Time `json:"since,omitempty"`    // when the deletion was requested, or what was in the way was over
	Movement *Phrase    `json:"movement,omitempty"` // what a second look shows
	Passed   bool       `json:"passed,omitempty"`   // the API server would let the controller's request pass
	Outdated bool       `json:"outdated,omitempty"` // what the controller reported last is over: it looks again soon
	// Suspects may refuse it.
	Suspects   []Ref  `json:"suspects,omitempty"`
	Controller string `json:"controller,omitempty"` // the one that has to send the request, by the name of its account
}
