package finding

// Lacked is an object that does not exist, and that the held one names for its controller.
type Lacked struct {
	Object Ref    `json:"object"`
	Field  string `json:"field,omitempty"` // of the held object, that names it
	Said   bool   `json:"said,omitempty"`  // the controller's own report names it
	// Closed says that nothing can be created in its namespace: that is being deleted, or doesn't exist.
	Closed bool `json:"closed,omitempty"`
}

// Unmet is an object that a controller needs, by the catalogue, and can't use.
type Unmet struct {
	Object Ref    `json:"object"`
	Says   string `json:"says"`            // that it can't: it completes "OBJECT …"
	Words  string `json:"words,omitempty"` // that the object itself has on that
}
