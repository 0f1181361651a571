package finding

// HookDetails are those of an object whose deletion other programs hold by annotations, or by items of lists.
type HookDetails struct {
	Hooks []Hook `json:"hooks"`
}

// Hook is an annotation, or an item of a list, that a program removes when it has done something before an object goes.
type Hook struct {
	Annotation string `json:"annotation,omitempty"`
	Field      string `json:"field,omitempty"` // the list: spec.lifecycleHooks.preDrain
	Name       string `json:"name,omitempty"`  // of the item
	Value      string `json:"value,omitempty"` // names the program, by convention
	Before     string `json:"before"`          // what is not done as long as it is there
}
