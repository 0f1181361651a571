package finding

// RemovalDetails are those of what a removal by force finds, warns of and does.
type RemovalDetails struct {
	Holds   []Hold   `json:"holds,omitempty"`
	Names   []string `json:"names,omitempty"`
	Codes   []string `json:"codes,omitempty"` // of objections
	Name    string   `json:"name,omitempty"`
	Token   string   `json:"token,omitempty"`
	Count   int      `json:"count,omitempty"`
	Of      int      `json:"of,omitempty"`
	Left    int      `json:"left,omitempty"` // not come to
	Seconds int64    `json:"seconds,omitempty"`
	Right   string   `json:"right,omitempty"`   // of RBAC
	Said    string   `json:"said,omitempty"`    // by the server, the system or the diagnosis
	Failed  string   `json:"failed,omitempty"`  // what said that, where there are two
	Request *Phrase  `json:"request,omitempty"` // that was, or was not, sent
	Before  string   `json:"before,omitempty"`
	After   string   `json:"after,omitempty"`
	Other   *Ref     `json:"other,omitempty"`
	Facts   []Phrase `json:"facts,omitempty"` // that were not so before, or are so no more
	Likely  bool     `json:"likely,omitempty"`
	Several bool     `json:"several,omitempty"`
	// Reason is the code of the objection, and Against what speaks against each entry.
	Reason  string    `json:"reason,omitempty"`
	Against []Against `json:"against,omitempty"`
	// Does are what satisfies what speaks against it: Wait, FindOut or Mend.
	Does []string `json:"does,omitempty"`
	// Difference is how an object differs from what was shown.
	Difference *Phrase `json:"difference,omitempty"`
}

// Against is an objection to the removal of an entry.
type Against struct {
	Code    string `json:"code"`
	Entry   string `json:"entry"`
	Message string `json:"-"`
}

// FactDetails are those of a fact that a diagnosis rests on. They are comparable.
type FactDetails struct {
	Hold   Hold   `json:"hold"`
	Reason Reason `json:"reason,omitempty"`
	Object Ref    `json:"object"`
	Name   string `json:"name,omitempty"` // of a finalizer, or of a kind
	Unread string `json:"unread,omitempty"`
}
