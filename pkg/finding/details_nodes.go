package finding

import "time"

// NodeNotReadyDetails are those of NodeNotReady: since when a node's kubelet has not answered.
type NodeNotReadyDetails struct {
	// Since is when the node stopped being ready, or was last heard of. There is none if it never was ready.
	Since *time.Time `json:"since,omitempty"`
	// Silent says that Since is when its kubelet was last heard of, by its Lease.
	Silent    bool       `json:"silent,omitempty"`
	Gone      bool       `json:"gone,omitempty"`      // there is no such Node any more
	DeletedAt *time.Time `json:"deletedAt,omitempty"` // when the Node's own deletion was requested
	Reports   string     `json:"reports,omitempty"`   // why it isn't ready, in the words of its kubelet
	// Until is when its first moment ends, in which it may only be late; none if that is over. CreatedAt is the beginning
	// of that for a Node whose kubelet has not reported yet.
	Until     *time.Time `json:"until,omitempty"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
}

// ContainerNotStoppingDetails are those of ContainerNotStopping, and of a pod that is being stopped.
type ContainerNotStoppingDetails struct {
	Node         Ref        `json:"node,omitzero"`
	EndsAt       *time.Time `json:"endsAt,omitempty"`       // when the grace period is over
	GraceSeconds int64      `json:"graceSeconds,omitempty"` // how long it is
	Ended        bool       `json:"ended,omitempty"`        // the pod has its final phase
	Running      []string   `json:"running,omitempty"`      // containers that still run
	Words        string     `json:"words,omitempty"`        // what the kubelet reported about it since
	// Leaseless says that no kubelet renews a Lease for the Node, which says it is ready.
	Leaseless bool `json:"leaseless,omitempty"`
}

// ControlPlaneDownDetails are those of ControlPlaneDown.
type ControlPlaneDownDetails struct {
	// RenewedAt is when the Lease was last renewed; none if its last holder gave it up.
	RenewedAt *time.Time `json:"renewedAt,omitempty"`
	// Server is the Lease of the kube-apiserver that renewed its own last, at ServerRenewedAt, where none does any more.
	Server          *Ref       `json:"server,omitempty"`
	ServerRenewedAt *time.Time `json:"serverRenewedAt,omitempty"`
}

// JobTrackingDetails are those of a pod that a Job should count.
type JobTrackingDetails struct {
	Job        *Ref   `json:"job,omitempty"`
	Manager    string `json:"manager,omitempty"`    // that runs the Job
	Controller string `json:"controller,omitempty"` // what controls the pod, if that isn't a Job
	Deleted    bool   `json:"deleted,omitempty"`    // the Job is being deleted
	JobGone    bool   `json:"jobGone,omitempty"`    // the Job no longer exists
}

// AgentNodeDetails are those of an object whose controller has a pod on each Node.
type AgentNodeDetails struct {
	Controller Ref     `json:"controller,omitzero"`
	Node       Ref     `json:"node,omitzero"` // that the object names
	Field      string  `json:"field,omitempty"`
	State      *Phrase `json:"state,omitempty"` // how the controller fares on that Node; none if the Node doesn't exist
}

// NamedObjectDetails are those of an object whose controller runs in the pods of another one, which the object names.
type NamedObjectDetails struct {
	Object     Ref    `json:"object,omitzero"`     // that the object names, and that doesn't exist
	Field      string `json:"field,omitempty"`     // that names it
	Controller *Ref   `json:"controller,omitzero"` // the program that acts when it sees the deletion of that one
}
