package finding

import "time"

// DependentNotDeletedDetails are those of DependentNotDeleted, and of what is in progress about a dependent before
// that.
type DependentNotDeletedDetails struct {
	Owner      Ref        `json:"owner,omitzero"`       // that the dependent blocks
	OtherOwner *Ref       `json:"otherOwner,omitempty"` // that keeps the dependent
	Since      *time.Time `json:"since,omitempty"`      // when the owner's deletion was requested
	Dependents int        `json:"dependents,omitempty"` // how many there are, where several are told together
	RepairedAt *time.Time `json:"repairedAt,omitempty"` // when an owner reference, or the owner's kind, was repaired
	Until      *time.Time `json:"until,omitempty"`      // by when the garbage collector has tried again
}

// InvalidOwnerReferenceDetails are those of InvalidOwnerReference: a dependent without a namespace.
type InvalidOwnerReferenceDetails struct {
	Owner   Ref  `json:"owner,omitzero"`    // that the dependent blocks
	Invalid *Ref `json:"invalid,omitempty"` // the owner with a namespace, where that is another one
}

// UnresolvableOwnerDetails are those of UnresolvableOwner.
type UnresolvableOwnerDetails struct {
	Owner      Ref `json:"owner,omitzero"`      // that the dependent blocks
	Unresolved Ref `json:"unresolved,omitzero"` // as the dependent's reference names it
}

// OwnerDetails are those of what is found out about the owners of a live object.
type OwnerDetails struct {
	Owner     Ref       `json:"owner,omitzero"`      // as the reference names it, or as it was read
	Ownership Ownership `json:"ownership,omitempty"` // what the garbage collector makes of the reference
	Other     *Ref      `json:"other,omitempty"`     // another owner, which isn't being deleted
	Owners    int       `json:"owners,omitempty"`    // how many there are
	// Foreground: the owner waits for its dependents. Orphans: it was deleted with --cascade=orphan.
	Foreground bool   `json:"foreground,omitempty"`
	Orphans    bool   `json:"orphans,omitempty"`
	Collector  string `json:"collector,omitempty"` // whether the garbage collector runs: yes, no, or unknown
}

// DependentsDetails are those of what is found out about the dependents of an object together.
type DependentsDetails struct {
	Owner      Ref      `json:"owner,omitzero"`
	Dependents []Ref    `json:"dependents,omitempty"` // that were seen
	Kinds      []string `json:"kinds,omitempty"`      // that could not be read
	Orphans    bool     `json:"orphans,omitempty"`    // the object waits until no dependent refers to it
	Forbidden  bool     `json:"forbidden,omitempty"`  // the reader may not read some of them
}

// FormerNamespaceDetails are those of an object that is left from a namespace which is gone.
type FormerNamespaceDetails struct {
	Namespace Ref `json:"namespace,omitzero"`
}

// MirrorPodDetails are those of the picture of a static pod.
type MirrorPodDetails struct {
	Node string `json:"node,omitempty"`
}

// StillInUseDetails are those of StillInUse: what is known of the user.
type StillInUseDetails struct {
	Phase      string     `json:"phase,omitempty"`      // of a pod
	FinishedAt *time.Time `json:"finishedAt,omitempty"` // when its last container ended
	Workload   *Ref       `json:"workload,omitempty"`   // that runs it
	Use        *Phrase    `json:"use,omitempty"`        // how it uses the object, or what became of it
	Of         *Ref       `json:"of,omitempty"`         // the object that it uses
	Field      string     `json:"field,omitempty"`      // by which it refers to that
	Node       string     `json:"node,omitempty"`       // on which it uses it
	Resource   string     `json:"resource,omitempty"`   // of the user, where only a name is known
	Address    string     `json:"address,omitempty"`    // that it has, of Ranges
	Ranges     []string   `json:"ranges,omitempty"`

	// Declaration says that the object is used, for the reason in Words, if it gives one; Gone is whom it names as the
	// user, and who isn't there any more.
	Declaration *Ref   `json:"declaration,omitempty"`
	Gone        *Ref   `json:"gone,omitempty"`
	Words       string `json:"words,omitempty"`

	// Budget is the disruption budget that keeps a pod from being evicted, and Budgets all that select it, if they are
	// several: the API server then evicts it by none.
	Budget  *Budget `json:"budget,omitempty"`
	Budgets []Ref   `json:"budgets,omitempty"`
	// Until is when a drain continues without the pod.
	Until *time.Time `json:"until,omitempty"`

	// Says is what the catalogue says of it, of a Project: completes "Pod x …". Unverified: this was not checked.
	Says       string `json:"says,omitempty"`
	Project    string `json:"project,omitempty"`
	Unverified bool   `json:"unverified,omitempty"`
}

// Budget is a PodDisruptionBudget, and how it stands with the pods that it selects.
type Budget struct {
	Ref            Ref    `json:"ref,omitzero"`
	MinAvailable   string `json:"minAvailable,omitempty"`
	MaxUnavailable string `json:"maxUnavailable,omitempty"`
	Healthy        int    `json:"healthy"` // status.currentHealthy
	Desired        int    `json:"desired"` // status.desiredHealthy
	Expected       int    `json:"expected"`
	// Never says that all expected pods have to be healthy: no eviction is ever allowed.
	Never bool `json:"never,omitempty"`
	// Uncounted says that it counts none of its pods, which have no controller: no eviction is ever allowed.
	Uncounted bool `json:"uncounted,omitempty"`
	// Words are why kube-controller-manager can't work the budget out.
	Words string `json:"words,omitempty"`
	// Unready says that the pod itself isn't ready, and that the budget protects it all the same.
	Unready bool `json:"unready,omitempty"`
}

// DeclaredWaitDetails are those of an object that a finalizer may wait for, by what the catalogue says.
type DeclaredWaitDetails struct {
	Candidate Ref    `json:"candidate,omitzero"`
	RemovedBy string `json:"removedBy"`
	WaitsFor  string `json:"waitsFor"`
}
