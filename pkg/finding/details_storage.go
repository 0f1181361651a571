package finding

import (
	"slices"
	"time"
)

// StorageDriverDetails are those of what a storage driver has yet to do.
type StorageDriverDetails struct {
	Driver string  `json:"driver"`
	Task   *Phrase `json:"task,omitempty"`
	Words  string  `json:"words,omitempty"`  // by which the driver, or who acts for it, reports why it can't
	Policy string  `json:"policy,omitempty"` // for reclaiming the volume, where that is what it should do
	// Controller is probably the workload with the driver's controller; Candidates are workloads that may have it.
	Controller *Ref  `json:"controller,omitempty"`
	Candidates []Ref `json:"candidates,omitempty"`
	Overdue    bool  `json:"overdue,omitempty"` // the driver should have done it by now
}

// Program implements Controlled.
func (d StorageDriverDetails) Program() *Ref { return d.Controller }

// VolumeDetails are those of tasks and steps that are about a volume.
type VolumeDetails struct {
	Volume   *Ref   `json:"volume,omitempty"`
	Node     string `json:"node,omitempty"`     // to which it is attached
	NodeGone bool   `json:"nodeGone,omitempty"` // there is no such Node
	Policy   string `json:"policy,omitempty"`   // for reclaiming it
	// Handle is the volume's name at its Driver, and Storage what the volume names of where its data are.
	Handle  string  `json:"handle,omitempty"`
	Driver  string  `json:"driver,omitempty"`
	Storage []Named `json:"storage,omitempty"`
	Gone    bool    `json:"gone,omitempty"` // there is no such volume any more, or none yet
	// Attachments of the volume that exist.
	Attachments []Ref `json:"attachments,omitempty"`
	// Entries is how many finalizers the step removes, and Attached says that one of them is an attacher's.
	Entries  int  `json:"entries,omitempty"`
	Attached bool `json:"attached,omitempty"`
}

// ConversionDetails are those of ConversionWebhookUnavailable.
type ConversionDetails struct {
	Kind    string  `json:"kind"`
	Backend *Phrase `json:"backend,omitempty"` // how what should convert fares
	// Words are what kube-apiserver says of the conversion, where the backend isn't known to be down.
	Words string `json:"words,omitempty"`
	// InNamespace says that the namespace controller meets this, which lists the kind in each namespace that it
	// empties.
	InNamespace bool `json:"inNamespace,omitempty"`
	// Storage is the version that writes convert to, where the objects can be read and not changed.
	Storage string `json:"storage,omitempty"`
	// Served and Stored are the versions of the kind, where no conversion was requested yet; Preferred is the one
	// that Kubernetes' own controllers ask for, and Objects are how many there are.
	Served    []string `json:"served,omitempty"`
	Stored    []string `json:"stored,omitempty"`
	Preferred string   `json:"preferred,omitempty"`
	Objects   int      `json:"objects,omitempty"`
}

// Converts reports whether what Kubernetes' own controllers ask for has to be converted, of some objects at least.
func (d ConversionDetails) Converts() bool {
	return slices.ContainsFunc(d.Stored, func(version string) bool { return version != d.Preferred })
}

// UndecodableObjectDetails are those of UndecodableObject.
type UndecodableObjectDetails struct {
	Undecodable
	Likewise []Undecodable `json:"likewise,omitempty"` // further objects of the kind
}

// Undecodable is an object that storage can't hand out.
type Undecodable struct {
	Object     Ref    `json:"object,omitzero"`
	StorageKey string `json:"storageKey,omitempty"` // empty where kube-apiserver doesn't name it, as before 1.37
	// KeyPrefix is what the storage key begins with, by default, where the key itself isn't known.
	KeyPrefix string `json:"keyPrefix,omitempty"`
	Words     string `json:"words"`              // why, as kube-apiserver says it
	Resource  string `json:"resource,omitempty"` // of the object
	// After is the last object, by namespace and name, that could be read before one that is not named; Narrowed tells
	// that it was looked for in this way.
	After    *Ref `json:"after,omitempty"`
	Narrowed bool `json:"narrowed,omitempty"`
}

// LoadBalancerDetails are those of the load balancer behind a Service.
type LoadBalancerDetails struct {
	Address string `json:"address,omitempty"` // an IP or a host name
	Words   string `json:"words,omitempty"`   // by which the cloud-controller-manager reports why it can't delete it
	// RequestedAt is when the Service's deletion was requested, if it should be over by now.
	RequestedAt *time.Time `json:"requestedAt,omitempty"`
}

// AddressDetails are those of the addresses of a ServiceCIDR.
type AddressDetails struct {
	Owner        string `json:"owner,omitempty"`        // what the address was given to
	Served       bool   `json:"served,omitempty"`       // such objects are served
	Overdue      bool   `json:"overdue,omitempty"`      // the API server should have freed it by now
	DelaySeconds int64  `json:"delaySeconds,omitempty"` // how long a range without addresses stays
}
