package finding

import "time"

// LinkDetails are those of how one object is bound to another.
type LinkDetails struct {
	Object *Ref   `json:"object,omitempty"` // through which it is owned
	Field  string `json:"field,omitempty"`  // that names it, or bears its uid
}

// LogsDetails are those of logs that say nothing of an object.
type LogsDetails struct {
	Object Ref       `json:"object,omitzero"`
	Lines  int       `json:"lines,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	Cut    bool      `json:"cut,omitempty"` // there are older lines that were not read
	Unread bool      `json:"unread,omitempty"`
}

// Clue is why a program is taken for a finalizer's controller, or what RBAC lets it do.
type Clue struct {
	Name     string   `json:"name,omitempty"`
	Names    []string `json:"names,omitempty"`
	Account  *Ref     `json:"account,omitempty"`
	Resource string   `json:"resource,omitempty"`
	Verb     string   `json:"verb,omitempty"`     // by which RBAC lets it change the resource; empty where it does not
	Rights   *Phrase  `json:"rights,omitempty"`   // or what it answers
	Deciding *Phrase  `json:"deciding,omitempty"` // why it is this program, of all that run as Account
	Project  bool     `json:"project,omitempty"`  // names are compared with the project's, not the API group
}
