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
}
