package finding

import "time"

// ControllerDetails are those of ControllerDown, -Forbidden and -Failing, and of a controller at work or starting.
type ControllerDetails struct {
	Controller *Ref     `json:"controller,omitempty"` // its workload, or its ServiceAccount where no workload is known
	Workload   *Ref     `json:"workload,omitempty"`   // that runs as Controller, where that is a ServiceAccount
	Held       []Ref    `json:"-"`                    // that have the finalizer, where the finding is about Controller
	Manager    string   `json:"manager,omitempty"`    // the field manager that wrote to the object lately
	Clues      []Phrase `json:"clues,omitempty"`      // why it is taken for the controller; each completes "it …"
	Rights     *Phrase  `json:"rights,omitempty"`     // on the held object's kind, if it has any, but not the one it needs
	Operates   bool     `json:"operates,omitempty"`   // it operates an API group of the finalizer's domain
	State      *Phrase  `json:"state,omitempty"`      // how it fares; it completes "Deployment x …"
	Resource   string   `json:"resource,omitempty"`   // the held object's, as PLURAL.GROUP
	Denied     bool     `json:"denied,omitempty"`     // another authorizer than RBAC refuses what RBAC grants
	Words      string   `json:"words,omitempty"`      // what the controller reports of the object
	Moves      bool     `json:"-"`                    // something was seen to move on the object: it is at work
	Runs       bool     `json:"runs,omitempty"`       // it was found, and seen to run
	Named      []Ref    `json:"named,omitempty"`      // other objects that Words name, and that exist
	Unread     []Unread `json:"unread,omitempty"`     // that Words name, or that may pause the controller
	Right      *Phrase  `json:"right,omitempty"`      // the right that the quoted denial of the API server is about
	As         *Ref     `json:"as,omitempty"`         // the account that the denial names, if not its own
	// Closed is the Namespace in which the controller must create something, and which is being deleted.
	Closed *Ref `json:"closed,omitempty"`
	// Lacks are objects that the controller needs, as far as is known, and that do not exist.
	Lacks []Lacked  `json:"lacks,omitempty"`
	Unmet *Unmet    `json:"unmet,omitempty"` // what the controller needs, and can't use
	Said  time.Time `json:"-"`               // when it reported Words; zero where that is not known
}

// LeaderDetails are those of a controller that can't become the leader.
type LeaderDetails struct {
	Lease   *Ref `json:"lease"`
	Account *Ref `json:"account,omitempty"` // which may not update it
	Holder  *Ref `json:"holder,omitempty"`  // another program's pod, which renews it
}

// AccountDetails are those of a controller whose tokens the API server refuses.
type AccountDetails struct {
	Account *Ref      `json:"account"`
	Created time.Time `json:"created,omitzero"` // again, after its pods; empty where it doesn't exist
}

// DeniedRight is what the API server says that an account may not do.
type DeniedRight struct {
	User      string `json:"user"`
	Verb      string `json:"verb"`
	Resource  string `json:"resource"`            // as PLURAL.GROUP, or PLURAL.GROUP/SUBRESOURCE
	Namespace string `json:"namespace,omitempty"` // empty: in the whole cluster
}

// ControllerMissingDetails are those of ControllerMissing.
type ControllerMissingDetails struct {
	Known   *KnownFinalizerDetails `json:"known,omitempty"`   // what the catalogue says, if it knows the finalizer
	Absence *Phrase                `json:"absence,omitempty"` // in which way there is no controller
	Account *Ref                   `json:"account,omitempty"` // the ServiceAccount as which it ran, by RBAC
	// Workload is what ran it in a namespace that is being deleted.
	Workload *Ref   `json:"workload,omitempty"`
	Alone    bool   `json:"alone,omitempty"`   // no other account than Account could remove the finalizer
	Manager  string `json:"manager,omitempty"` // the program that set the finalizer
	// Readers says that programs may read the kind, as a controller may that has lost its other rights.
	Readers bool  `json:"readers,omitempty"`
	ReadBy  []Ref `json:"readBy,omitempty"` // the ServiceAccounts of these that run programs, as far as they are known
	// Namesakes are workloads that are named as the controller would be, with nothing else that says so.
	Namesakes []Ref `json:"namesakes,omitempty"`
	// Others are there and may remove the finalizer too, but nothing else ties them to it.
	Others []Ref `json:"others,omitempty"`
}

// MisspeltDetails are those of a finalizer whose name is probably a misspelling.
type MisspeltDetails struct {
	Meant     string   `json:"meant"`               // the finalizer that it resembles
	RemovedBy string   `json:"removedBy,omitempty"` // who removes that, or has set it on the object seen
	Kinds     []string `json:"kinds,omitempty"`     // that have it; the object is of another
	Seen      *Ref     `json:"seen,omitempty"`      // another object of the kind, which has it; the catalogue doesn't
	SetBy     *SetBy   `json:"setBy,omitempty"`
}

// RunsOutside says when the controller runs outside the cluster, as far as the catalogue tells.
func (d ControllerMissingDetails) RunsOutside() string {
	if d.Known == nil {
		return ""
	}
	return d.Known.MayRunOutside
}

// AbsenceDetails say in which way a controller isn't there.
type AbsenceDetails struct {
	RemovedBy string   `json:"removedBy,omitempty"` // by the catalogue
	Account   *Ref     `json:"account,omitempty"`
	Alone     bool     `json:"alone,omitempty"`     // no other account could remove the finalizer
	Workload  *Ref     `json:"workload,omitempty"`  // whose pods were deleted with that namespace
	Namespace string   `json:"namespace,omitempty"` // in which it lived
	Already   bool     `json:"already,omitempty"`   // that is being deleted now, too, where something is foreseen
	NoRights  *Phrase  `json:"noRights,omitempty"`  // what RBAC grants instead
	Resource  string   `json:"resource,omitempty"`  // on which no account has rights
	Groups    []string `json:"groups,omitempty"`    // or API groups
	Passed    []string `json:"passed,omitempty"`    // who has a role for these, and could not remove the finalizer
	Outside   bool     `json:"outside,omitempty"`   // users and groups have such rights
	Ordinary  []string `json:"ordinary,omitempty"`  // ServiceAccounts that may update everything
	Unbound   []string `json:"unbound,omitempty"`   // roles that grant such rights, and that nothing binds
	// Instances act on other objects of the kind, and not on this one.
	Instances []Instance `json:"instances,omitempty"`
	// Classes are the object's, where an instance is for objects of other classes.
	Classes []ObjectClass `json:"classes,omitempty"`
}

// ControllerUnknownDetails are those of ControllerUnknown.
type ControllerUnknownDetails struct {
	SetBy         *SetBy   `json:"setBy,omitempty"`
	SpecFinalizer bool     `json:"specFinalizer,omitempty"` // the entry is in a Namespace's spec.finalizers
	Unread        []Unread `json:"unread,omitempty"`        // what would have to be read
	// Controller may be the one: by Clues, which are names alone where State is given.
	Controller *Ref     `json:"controller,omitempty"`
	Clues      []Phrase `json:"clues,omitempty"`
	State      *Phrase  `json:"state,omitempty"`
	Rivals     []string `json:"rivals,omitempty"` // less likely to be the one
	// Equals may be the one just as well as Controller.
	Equals []EqualProgram `json:"equals,omitempty"`
	Shared string         `json:"shared,omitempty"` // the account as which all of Equals run
	Domain string         `json:"domain,omitempty"` // the finalizer's, if it has one
	Kind   string         `json:"kind,omitempty"`   // one that Controller manages, and another project's
	Said   string         `json:"said,omitempty"`   // by the object's status since the deletion; no trouble by its words
	// Reported is by the object's status, where too little could be read to tell by whom.
	Reported string    `json:"reported,omitempty"`
	Programs *Programs `json:"programs,omitempty"` // the ones that RBAC lets remove it: a group of ServiceAccounts
	// Manager is a field manager that wrote to the object, since its deletion if there was one, at Written: nothing here
	// runs as that, or nothing in the object moves although Controller runs.
	Manager string    `json:"manager,omitempty"`
	Written time.Time `json:"written,omitzero"`
	// Instance has the name of Manager, and acts on other objects, as it seems.
	Instance *Instance `json:"instance,omitempty"`
	Idle     bool      `json:"idle,omitempty"` // Controller has written nothing to the object since its deletion
	// Unentitled says that RBAC was read and does not let Controller remove the finalizer.
	Unentitled bool `json:"unentitled,omitempty"`
	// OnlyVerb is the one of update and patch that RBAC lets Controller use on the object, if it lets it use only one.
	OnlyVerb string `json:"onlyVerb,omitempty"`
	// LookedAt is what was read for traces of a controller, if nothing shows any; NotLookedAt, where else some may be.
	LookedAt    []string `json:"lookedAt,omitempty"`
	NotLookedAt []string `json:"notLookedAt,omitempty"`
	// Lacks are objects that the held one names, and that do not exist. They may be without importance.
	Lacks []Lacked         `json:"lacks,omitempty"`
	Hook  *StopHookDetails `json:"hook,omitempty"` // of the held pod, which may have to remove the finalizer
}

// StopHookDetails are those of a preStop hook of the held pod.
type StopHookDetails struct {
	Container string `json:"container"`
	// Finalizers says that its command is about finalizers.
	Finalizers bool `json:"finalizers,omitempty"`
	Account    Ref  `json:"account"`             // as which it acts
	Gone       bool `json:"gone,omitempty"`      // Account doesn't exist
	Forbidden  bool `json:"forbidden,omitempty"` // Account may not update the pod, by RBAC
}

// EqualProgram is a program to which as much points as to another one.
type EqualProgram struct {
	Program Ref     `json:"program"`
	State   *Phrase `json:"state,omitempty"` // how it fares, if it doesn't run; it completes "Deployment x …"
	// Unexamined says that it was not looked whether it runs.
	Unexamined bool `json:"unexamined,omitempty"`
}

// Programs are the ServiceAccounts of a group.
type Programs struct {
	Group     string `json:"group"`
	Namespace string `json:"namespace,omitempty"` // empty for those of all
}

// SetBy is who put a finalizer on an object, as managedFields tell.
type SetBy struct {
	Manager  string    `json:"manager,omitempty"`
	At       time.Time `json:"at,omitzero"`        // or earlier
	ByHand   bool      `json:"byHand,omitempty"`   // a person or a pipeline did
	Copied   bool      `json:"copied,omitempty"`   // from a template
	Template *Ref      `json:"template,omitempty"` // what the object was made of, and has the entry in Path
	Path     string    `json:"path,omitempty"`
	Listed   bool      `json:"-"` // a command lists the programs that wrote to the object
}

// KnownFinalizerDetails are what the catalogue says of a finalizer, and what was found out beside it.
type KnownFinalizerDetails struct {
	RemovedBy     string `json:"removedBy,omitempty"`
	WaitsFor      string `json:"waitsFor,omitempty"`
	Doubt         string `json:"doubt,omitempty"` // why that may be wrong
	MayRunOutside string `json:"mayRunOutside,omitempty"`
	// Asked says that the object is being deleted, so that it matters whether the finalizer is due. Nothing is left
	// of what it waits for among NothingLeft; NotServed are kinds of these that the cluster doesn't serve.
	Asked       bool     `json:"asked,omitempty"`
	NothingLeft []string `json:"nothingLeft,omitempty"`
	NotServed   []string `json:"notServed,omitempty"`
	// DeletesNext are kinds of these with objects left that the controller itself deletes first.
	DeletesNext []string `json:"deletesNext,omitempty"`
	// Controller runs, and nothing says why it has not removed the finalizer. Idle says that it has written nothing to the
	// object since its deletion.
	Controller *Ref `json:"controller,omitempty"`
	Idle       bool `json:"idle,omitempty"`
	// Said is by the object's status since the deletion. Manager wrote to the object since then, at Written, and nothing
	// in it moves.
	Said    string    `json:"said,omitempty"`
	Manager string    `json:"manager,omitempty"`
	Written time.Time `json:"written,omitzero"`
	Unread  []Unread  `json:"unread,omitempty"` // without which nothing says how the controller fares
	// Lacks are objects that the held one names, and that do not exist. They may be without importance.
	Lacks []Lacked `json:"lacks,omitempty"`
}

// LookedForWaits reports whether what the finalizer waits for was looked for, and nothing is left of it.
func (d KnownFinalizerDetails) LookedForWaits() bool {
	return len(d.NothingLeft)+len(d.NotServed)+len(d.DeletesNext) > 0
}

// BelowDetails are those of what an object may wait for by what binds it to other objects that are being deleted.
type BelowDetails struct {
	Controller *Ref     `json:"controller,omitempty"` // of the object, which runs
	Objects    []Ref    `json:"objects,omitempty"`
	Links      []Phrase `json:"links,omitempty"`     // how each of these is bound to the object
	Kinds      []string `json:"kinds,omitempty"`     // that could not be read
	Forbidden  bool     `json:"forbidden,omitempty"` // the reader may not read some of them
}

// Program implements Controlled.
func (d ControllerDetails) Program() *Ref { return d.Controller }

// Program implements Controlled.
func (d ControllerUnknownDetails) Program() *Ref { return d.Controller }

// Program implements Controlled.
func (d KnownFinalizerDetails) Program() *Ref { return d.Controller }

// Program implements Controlled.
func (d BelowDetails) Program() *Ref { return d.Controller }

// HeldDetails are those of what is to be said of one hold of an object, beside whose it is.
type HeldDetails struct {
	Object  Ref    `json:"object,omitzero"`
	Hold    string `json:"hold,omitempty"`
	Blocker *Ref   `json:"blocker,omitempty"` // that has to run
	Also    []Ref  `json:"also,omitempty"`    // more objects that do the same
}

// Objects are the object and all that do the same.
func (d HeldDetails) Objects() []Ref { return append([]Ref{d.Object}, d.Also...) }

// MovementDetails are what a second look shows: an object that has changed, or how many objects are left.
type MovementDetails struct {
	Object *Ref `json:"object,omitempty"`
	Left   int  `json:"left,omitempty"`
	Before int  `json:"before,omitempty"`
}
