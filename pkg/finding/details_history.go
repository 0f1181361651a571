package finding

// HistoryDetails are those of what happened to an object.
type HistoryDetails struct {
	Manager    string   `json:"manager,omitempty"`    // the field manager that wrote to it, and has not since
	Parts      []string `json:"parts,omitempty"`      // of the object that it writes: finalizers, status
	Finalizers []string `json:"finalizers,omitempty"` // that it had set by then
	Released   bool     `json:"released,omitempty"`   // a finalizer that it had set is gone since
	Condition  string   `json:"condition,omitempty"`  // the type of a condition
	Status     string   `json:"status,omitempty"`     // of the condition
	Reason     string   `json:"reason,omitempty"`     // of the condition or the event
	Words      string   `json:"words,omitempty"`      // of the condition or the event
	By         string   `json:"by,omitempty"`         // who reported the event
}
