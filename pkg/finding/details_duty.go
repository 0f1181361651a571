package finding

import "time"

// DutyDetails are those of what a controller of kube-controller-manager has yet to do.
type DutyDetails struct {
	Task  Phrase     `json:"task"`
	Since *time.Time `json:"since,omitempty"` // when the deletion was requested, or what stood in the way was over
	// Movement is what a second look shows.
	Movement *Phrase `json:"movement,omitempty"`
	Passed   bool    `json:"passed,omitempty"` // the API server would let the controller's request pass
	// Suspects may refuse it.
	Suspects   []Ref  `json:"suspects,omitempty"`
	Controller string `json:"controller,omitempty"` // the one that has to send the request, by the name of its account
}

// HeldDetails are those of what is to be said of one hold of an object, beside whose it is.
type HeldDetails struct {
	Object Ref    `json:"object"`
	Hold   string `json:"hold"`
}

// MovementDetails are what a second look shows: an object that has changed, or how many objects are left of those
// before.
type MovementDetails struct {
	Object *Ref `json:"object,omitempty"`
	Left   int  `json:"left,omitempty"`
	Before int  `json:"before,omitempty"`
}
