package finding

// PreviewDetails are those of the sentence that sums up what deleting an object would do.
type PreviewDetails struct {
	Goes     int      `json:"goes"`  // objects that are deleted, the target among them
	Hangs    int      `json:"hangs"` // of these
	Loses    bool     `json:"loses,omitempty"`
	Unread   bool     `json:"unread,omitempty"` // something could not be looked at
	Causes   []string `json:"causes,omitempty"` // of what hangs, as sentences
	Refusing []Ref    `json:"refusing,omitempty"`
}
