package finding

// TaskDetails are those of what a controller has yet to do.
type TaskDetails struct {
	Object Ref  `json:"object"`          // that it then lets go of
	Other  *Ref `json:"other,omitempty"` // that decides about it: the Job of a pod, the Node that it ran on
}

// RetryDetails are those of what is tried again by itself.
type RetryDetails struct {
	Controller string `json:"controller"`
	Over       Phrase `json:"over"` // what stood in the way, and is over
}
