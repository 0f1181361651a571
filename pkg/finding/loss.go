package finding

// Loss is what is lost when a finalizer is removed by force.
type Loss struct {
	Object Ref `json:"object"`
	// Content says that the finalizer stands for what is in a namespace; Unidentified, that nothing tells what it
	// stands for.
	Content      bool `json:"content,omitempty"`
	Unidentified bool `json:"unidentified,omitempty"`
	// Known is what the catalogue says is lost, and Unverified that nobody has checked that.
	Known      string `json:"known,omitempty"`
	Unverified bool   `json:"unverified,omitempty"`
	// Named is what the object itself names, by the fields in which it does. Unread are such fields that were not read.
	Named  []Named  `json:"named,omitempty"`
	Unread []string `json:"unread,omitempty"`
}

// Named is what an object names, by what it is or where it stands: bucket, status.endpoint.
type Named struct {
	What   string   `json:"what"`
	Values []string `json:"values"`
}

// Key is the same for losses of which the same is to be told.
func (l Loss) Key() string {
	if l.Known != "" || l.Unidentified { // the object isn't named then
		l.Object = Ref{}
	}
	return Finding{Situation: "IsLost", Details: l}.Identity()
}
