package finding

// OwnerReferenceDetails are those of what is wrong with an owner reference, as check finds it.
type OwnerReferenceDetails struct {
	// Named is the owner as the reference names it, and Owner the object with that uid, where there is one.
	Named Ref  `json:"named"`
	Owner *Ref `json:"owner,omitempty"`
	// Terminating says that the dependent is being deleted as it is.
	Terminating bool `json:"terminating,omitempty"`
}

// FinalizerNamesDetails are those of a finalizer whose name is wrong.
type FinalizerNamesDetails struct {
	Finalizers []string `json:"finalizers"` // all of the object
}

// UnwatchedDetails are those of dependents that the garbage collector doesn't watch.
type UnwatchedDetails struct {
	Resource string   `json:"resource"`
	Verbs    []string `json:"verbs"`
}

// CheckedDetails are those of what a check has left out, or could not tell.
type CheckedDetails struct {
	Asked  int      `json:"asked,omitempty"`
	Sorts  []string `json:"sorts,omitempty"` // of finalizers, FINALIZER on RESOURCE, that were left out
	More   int      `json:"more,omitempty"`  // beside these
	Unread []Unread `json:"unread,omitempty"`
}
