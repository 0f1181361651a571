package finding

// Unreadable is something that could not be looked at. Nothing is concluded from its absence.
type Unreadable struct {
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	Error     string `json:"error"`
	// Why is the error in a word or two: forbidden, timed out.
	Why string `json:"why"`
}
