package finding

// BackendDetails tell how what answers behind a Service fares.
type BackendDetails struct {
	Service Ref      `json:"service"`
	Port    int32    `json:"port,omitempty"`  // that is asked for
	Ports   []string `json:"ports,omitempty"` // that the Service has
	// Outside is the host or URL of something outside the cluster.
	Outside  string `json:"outside,omitempty"`
	Workload *Ref   `json:"workload,omitempty"` // that should run the pods
	Words    string `json:"words,omitempty"`    // of the condition that says why there are none
	// Pod is one of the Pods that are there, and State is why it isn't ready.
	Pod   *Ref    `json:"pod,omitempty"`
	Pods  int     `json:"pods,omitempty"`
	State *Phrase `json:"state,omitempty"`
	// Unread is what would have to be read to tell, and Forbidden says that the reader may not.
	Unread    string `json:"unread,omitempty"`
	Forbidden bool   `json:"forbidden,omitempty"`
	// Backend is how it fares apart from its namespace, which is gone or being deleted.
	Backend   *Phrase `json:"backend,omitempty"`
	Namespace *Ref    `json:"namespace,omitempty"`
}
