package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Rescuable says in one word what can be kept of something that was deleted by mistake.
type Rescuable string

// What can be kept.
const (
	CanBeKept  Rescuable = "CanBeKept"  // all data that is known of, if the steps are taken in time
	PartlyLost Rescuable = "PartlyLost" // some data are lost, or may be; others can be kept
	AllLost    Rescuable = "Lost"       // nothing that is left can be kept
	NoData     Rescuable = "NoData"     // nothing goes but the objects, which can be created again
	NotDeleted Rescuable = "NotDeleted" // there is nothing to rescue
	NotClear   Rescuable = "NotClear"   // what was readable doesn't settle it
)

// RescuePlan says what can be kept of an object that was deleted by mistake, and how.
type RescuePlan struct {
	APIVersion  string      `json:"apiVersion"`
	Kind        string      `json:"kind"`
	GeneratedAt time.Time   `json:"generatedAt"`
	Target      finding.Ref `json:"target"`
	// Asked is what was asked about, if it is to be deleted with its namespace: then that is the target.
	Asked       *finding.Ref `json:"asked,omitempty"`
	Outcome     Rescuable    `json:"outcome"`
	Summary     string       `json:"summary"`
	RequestedAt *time.Time   `json:"requestedAt,omitempty"` // the deletion; absent where that is not known
	Gone        bool         `json:"gone,omitempty"`        // the object itself is not there any more
	// Lost can't be kept any more, or perhaps not, as far as that is known.
	Lost []RescueFact `json:"lost"`
	// Refused are what refuses the writes of the steps below.
	Refused []RescueFact `json:"refused,omitempty"`
	// Stop are the steps that stop the loss, the quickest first.
	Stop []RescueStep `json:"stop"`
	Safe []RescueFact `json:"safe"` // stays without a step
	// Folder is where the manifests are, or will be when Save was given, and Saved whether they were written now.
	Folder string       `json:"folder,omitempty"`
	Saved  bool         `json:"saved"`
	Files  []RescueFile `json:"files"`
	Save   *RescueStep  `json:"save,omitempty"` // writes them, if they are not written yet
	// Return are the steps by which everything comes back, in order.
	Return     []RescueStep         `json:"return"`
	Unreadable []finding.Unreadable `json:"unreadable"`
}

// RescueFact is something about an object that is to be rescued.
type RescueFact struct {
	Object    finding.Ref  `json:"object"`
	Situation string       `json:"situation"` // in one word, with the parameters in Details
	Details   any          `json:"details,omitempty"`
	Risk      finding.Risk `json:"risk"`
	Perhaps   bool         `json:"perhaps,omitempty"` // it is not certain
	Message   string       `json:"message"`
}

// RescueStep is one thing to do.
type RescueStep struct {
	Step     string            `json:"step"` // in one word
	Action   string            `json:"action"`
	Costs    string            `json:"costs,omitempty"`
	Commands []finding.Command `json:"commands,omitempty"`
}

// RescueFile is a manifest by which an object can be created again.
type RescueFile struct {
	Object finding.Ref `json:"object"`
	Path   string      `json:"path"`
	// Rebuilt says that the object is gone, and the manifest was made from what is left of it.
	Rebuilt bool `json:"rebuilt,omitempty"`
}
