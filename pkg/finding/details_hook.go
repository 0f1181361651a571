package finding

// HookDetails are those of an object whose deletion other programs hold by annotations.
type HookDetails struct {
	Hooks []Hook `json:"hooks"`
}

// Hook is an annotation that a program removes when it has done something before an object goes.
type Hook struct {
	Annotation string `json:"annotation"`
	Value      string `json:"value,omitempty"` // names the program, by convention
	Before     string `json:"before"`          // what is not done as long as it is there
}
