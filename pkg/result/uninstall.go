package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// UninstallState says whether an operator can go.
type UninstallState string

// The states of an uninstallation.
const (
	UninstallReady   UninstallState = "Ready"   // nothing that was seen keeps a step from finishing
	UninstallBlocked UninstallState = "Blocked" // something has to be resolved first
	UninstallUnclear UninstallState = "Unclear" // what was readable doesn't settle it
	UninstallDone    UninstallState = "Done"    // nothing of it was found
)

// UninstallPlan is the order in which an operator can go. Its kind is UninstallPlan.
type UninstallPlan struct {
	APIVersion  string          `json:"apiVersion"`
	Kind        string          `json:"kind"`
	GeneratedAt time.Time       `json:"generatedAt"`
	Target      UninstallTarget `json:"target"`
	State       UninstallState  `json:"state"`
	Summary     string          `json:"summary"`
	// Controllers are the operator's workloads, and how they fare.
	Controllers []UninstallController `json:"controllers"`
	Serves      []UninstallServed     `json:"serves"`
	Guests      []UninstallGuests     `json:"guests,omitempty"`
	Parts       []UninstallPart       `json:"parts"`
	// Blocked are the objects whose deletion would not finish, with their RootCauses by index.
	Blocked    []Hanging       `json:"blocked"`
	RootCauses []RootCause     `json:"rootCauses"`
	Refusals   []Refusal       `json:"refusals"`
	Steps      []UninstallStep `json:"steps"`
	// Stays is what is not part of the plan, and needs the operator, or what goes with it.
	Stays      []UninstallStaying   `json:"stays"`
	Owners     []finding.Ref        `json:"owners,omitempty"` // that stay, and control objects which the steps delete
	Unsure     []finding.Evidence   `json:"unsure,omitempty"` // what may refuse, for all that can be read
	Notes      []string             `json:"notes,omitempty"`
	Unreadable []finding.Unreadable `json:"unreadable"`
	// Kubectl begins kubectl's commands, and Ask one of this program.
	Kubectl finding.Command `json:"-"`
	Ask     finding.Command `json:"-"`
}

// UninstallTarget is what a plan is about, as it was asked for.
type UninstallTarget struct {
	// Type is Manifests, Release, Project or Object.
	Type      string       `json:"type"`
	Name      string       `json:"name,omitempty"`
	Namespace string       `json:"namespace,omitempty"`
	Object    *finding.Ref `json:"object,omitempty"`
}

// UninstallController is a workload of the operator.
type UninstallController struct {
	Object  finding.Ref `json:"object"`
	Running bool        `json:"running"`
	// Starting says that it does not run yet, and has only just been started: whether it will is not known.
	Starting bool   `json:"starting,omitempty"`
	Message  string `json:"message,omitempty"` // why it does not run, or that this could not be read
}

// UninstallServed is a kind that the operator defines.
type UninstallServed struct {
	Resource   string       `json:"resource"`
	Kind       string       `json:"kind"`
	Definition *finding.Ref `json:"definition,omitempty"`
	Count      int          `json:"count"` // of objects
	Namespaces int          `json:"namespaces,omitempty"`
	Finalizers []string     `json:"finalizers,omitempty"`
	Unlisted   bool         `json:"unlisted,omitempty"` // how many there are could not be read
}

// UninstallGuests are objects of other kinds with a finalizer that the operator removes.
type UninstallGuests struct {
	Resource  string        `json:"resource"`
	Finalizer string        `json:"finalizer"`
	Objects   []finding.Ref `json:"objects"`
}

// UninstallRole says what a part of an operator is for.
type UninstallRole string

// The roles of the parts.
const (
	RoleWorkload   UninstallRole = "Workload"
	RoleHook       UninstallRole = "Webhook"
	RoleAPI        UninstallRole = "APIService"
	RolePolicy     UninstallRole = "Policy"
	RoleClass      UninstallRole = "Class"
	RoleDefinition UninstallRole = "Definition"
	RoleInstance   UninstallRole = "Instance"
	RoleNamespace  UninstallRole = "Namespace"
	RoleOther      UninstallRole = "Other"
)

// UninstallPart is what belongs to the operator, by its role.
type UninstallPart struct {
	Role    UninstallRole `json:"role"`
	Objects []finding.Ref `json:"objects"`
}

// UninstallPhase is what a step does.
type UninstallPhase string

// The phases, in the order of the steps.
const (
	PhaseKeep       UninstallPhase = "Keep"       // what should outlast the operator
	PhaseInstances  UninstallPhase = "Instances"  // delete objects while the operator runs
	PhaseHooks      UninstallPhase = "Hooks"      // delete what the API server would ask in vain
	PhaseOperator   UninstallPhase = "Operator"   // delete its workloads
	PhaseRelease    UninstallPhase = "Release"    // remove its finalizers from what stays
	PhaseDefinition UninstallPhase = "Definition" // delete the definitions
	PhaseRest       UninstallPhase = "Rest"       // delete everything else that belongs to it
	PhaseNamespace  UninstallPhase = "Namespace"  // delete the namespace
)

// UninstallStep is one step of a plan. Its steps are done in order, each when the one before has finished.
type UninstallStep struct {
	Phase     UninstallPhase    `json:"phase"`
	Action    string            `json:"action"`
	Objects   []finding.Ref     `json:"objects"`
	Paths     []string          `json:"-"` // of these, as kubectl takes them
	Commands  []finding.Command `json:"commands"`
	Finalizer string            `json:"finalizer,omitempty"` // that the commands remove
	// SaveTo are the files to which the output of the commands goes.
	SaveTo []string `json:"saveTo,omitempty"`
	// Wait are commands that end when the step has finished, or when it needs a person.
	Wait []finding.Command `json:"wait,omitempty"`
	// Empty are the kinds that must have no objects left before the step, as RESOURCE.GROUP.
	Empty []string        `json:"empty,omitempty"`
	Goes  []Going         `json:"goes,omitempty"`  // what else is deleted with the objects
	Takes []finding.Taken `json:"takes,omitempty"` // what is lost, or stays behind, outside of these
	Risk  finding.Risk    `json:"risk"`
	Loses string          `json:"loses,omitempty"`
}

// WhyNeeded says what ties something that stays to the operator.
type WhyNeeded string

// Why something needs the operator.
const (
	LosesController WhyNeeded = "LosesController" // nothing removes its finalizer any more
	UsesClass       WhyNeeded = "UsesClass"       // a class that goes
	UsesService     WhyNeeded = "UsesService"     // a webhook or an API that the operator serves
	LeftInNamespace WhyNeeded = "LeftInNamespace" // is left in a namespace in which nothing else runs
	KeptObject      WhyNeeded = "KeptObject"      // is not deleted with its owner
	KeptByRelease   WhyNeeded = "KeptByRelease"   // its release keeps it when it is uninstalled
)

// UninstallStaying is something that stays, and needs what goes.
type UninstallStaying struct {
	Why     WhyNeeded     `json:"why"`
	Objects []finding.Ref `json:"objects"`
	Uses    *finding.Ref  `json:"uses,omitempty"`
	Message string        `json:"message"`
}
