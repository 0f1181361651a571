package finding

// StepDetails are those of steps that need little.
type StepDetails struct {
	Object *Ref   `json:"object,omitempty"`
	Name   string `json:"name,omitempty"`
}
