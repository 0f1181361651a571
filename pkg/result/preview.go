package result

import (
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Outcome is the result of a deletion that was not requested yet.
type Outcome string

// The outcomes.
const (
	WouldGo        Outcome = "WouldGo"        // nothing that was seen keeps it from finishing
	WouldHang      Outcome = "WouldHang"      // it will not finish without a person
	MayHang        Outcome = "MayHang"        // what was readable doesn't settle it
	WouldBeRefused Outcome = "WouldBeRefused" // the request itself is refused
	AlreadyDeleted Outcome = "AlreadyDeleted" // another program has asked for it before
)

// Preview is what deleting an object would do. Its kind is DeletionPreview.
type Preview struct {
	APIVersion  string      `json:"apiVersion"`
	Kind        string      `json:"kind"`
	GeneratedAt time.Time   `json:"generatedAt"`
	Target      finding.Ref `json:"target"`
	Cascade     string      `json:"cascade"` // Background, Foreground or Orphan
	Outcome     Outcome     `json:"outcome"`
	Summary     string      `json:"summary"`
	// Goes is what is deleted, by kind, in the order in which it is gone: a namespace is gone after what is in it.
	Goes []Going `json:"goes"`
	// Terminating is what of it is being deleted already, by kind.
	Terminating []Before `json:"terminating,omitempty"`
	// Holds are the finalizers on the way, each on one kind.
	Holds    []FinalizerOnTheWay `json:"holds"`
	Refusals []Refusal           `json:"refusals"`
	// Hanging are the objects that would get stuck, or may, with their RootCauses by index.
	Hanging    []Hanging            `json:"hanging"`
	RootCauses []RootCause          `json:"rootCauses"`
	Takes      []finding.Taken      `json:"takes,omitempty"` // what is lost, or stays behind, outside of these objects
	Keep       *finding.Remedy      `json:"keep,omitempty"`  // keeps the data of volumes that would go
	Stays      []Staying            `json:"stays"`
	Breaks     []Broken             `json:"breaks,omitempty"`
	Later      []Later              `json:"later,omitempty"`  // stays, and would hang when it is deleted afterwards
	Unsure     []finding.Evidence   `json:"unsure,omitempty"` // what may refuse, for all that can be read
	Asked      []AskedWebhook       `json:"asked,omitempty"`  // about what is deleted, and may refuse it
	Notes      []string             `json:"notes,omitempty"`  // what was left out, because there is too much of it
	Graph      Graph                `json:"graph"`            // who owns, holds and would wait for whom
	Delete     finding.Command      `json:"delete,omitempty"` // deletes the target
	Follow     finding.Command      `json:"follow,omitempty"` // says how far that is
	Unreadable []finding.Unreadable `json:"unreadable"`
}

// PreviewList answers for several targets, which are deleted together.
type PreviewList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Outcome    Outcome   `json:"outcome,omitempty"` // the worst; empty without items
	Items      []Preview `json:"items"`
}

// WorstOutcome is what comes of several deletions together: the first of refused, hanging, perhaps hanging, requested
// before, and gone. It is empty where there are none.
func WorstOutcome(items []Preview) Outcome {
	for _, worst := range []Outcome{WouldBeRefused, WouldHang, MayHang, AlreadyDeleted, WouldGo} {
		if slices.ContainsFunc(items, func(preview Preview) bool { return preview.Outcome == worst }) {
			return worst
		}
	}
	return ""
}

// Going is what goes of one kind.
type Going struct {
	Resource string        `json:"resource"`
	Kind     string        `json:"kind"`
	Count    int           `json:"count"`
	Objects  []finding.Ref `json:"objects"`
}

// Before are objects of a kind that are being deleted already.
type Before struct {
	Resource string        `json:"resource"`
	Objects  []finding.Ref `json:"objects"`
	Since    time.Time     `json:"since"`              // of the oldest
	Released bool          `json:"released,omitempty"` // beside the target: its deletion ends what they wait for
	Message  string        `json:"message"`
}

// Tells reports whether these objects only say what happened to others: nothing needs them.
func (g Going) Tells() bool { return g.Kind == "Event" }

// FinalizerOnTheWay is a finalizer of objects of one kind that would be deleted.
type FinalizerOnTheWay struct {
	Finalizer  string       `json:"finalizer"`
	Resource   string       `json:"resource"`
	Count      int          `json:"count"` // objects with it
	Hang       int          `json:"hang"`  // of these
	Project    string       `json:"project,omitempty"`
	RemovedBy  string       `json:"removedBy,omitempty"`
	WaitsFor   string       `json:"waitsFor,omitempty"`
	Controller *finding.Ref `json:"controller,omitempty"`
	State      string       `json:"state,omitempty"` // of the controller, as explain has it; empty where some would hang
	Message    string       `json:"message"`
	Together   string       `json:"-"` // one sentence for all kinds about which it says the same, for people
}

// Hanging is an object that would be Terminating for good.
type Hanging struct {
	Object     finding.Ref `json:"object"`
	Verdict    Verdict     `json:"verdict"`
	Awaits     string      `json:"awaits"`
	Unclear    string      `json:"unclear,omitempty"` // why it is not clear whether it would wait for more
	RootCauses []int       `json:"rootCauses,omitempty"`
	Summed     bool        `json:"-"` // the summary says what it would wait for
}

// Refusal is what would refuse the deletion of an object, and of others of its kind.
type Refusal struct {
	Object    finding.Ref        `json:"object"`
	Others    []finding.Ref      `json:"others,omitempty"`
	By        finding.Ref        `json:"by"`
	Reason    finding.Reason     `json:"reason"`
	Situation string             `json:"situation"`
	Details   any                `json:"details,omitempty"`
	Certainty finding.Certainty  `json:"certainty"`
	Message   string             `json:"message"`
	InShort   finding.InShort    `json:"-"` // the message, as the default output has it
	Evidence  []finding.Evidence `json:"evidence"`
	Remedies  []finding.Remedy   `json:"remedies"`
}

// AskedWebhook is a webhook that is asked about the deletion of objects of a kind, and may refuse it.
type AskedWebhook struct {
	By       finding.Ref   `json:"by"`
	Webhook  string        `json:"webhook"`
	Resource string        `json:"resource"`
	Objects  []finding.Ref `json:"objects"`
	URL      string        `json:"url,omitempty"`      // it is called by
	Unjudged bool          `json:"unjudged,omitempty"` // whether that answers can't be read, and no answer is a refusal
	Message  string        `json:"message"`
}

// WhyStays is why a dependent is not deleted with its owner.
type WhyStays string

// Why dependents stay.
const (
	KeptByOwner  WhyStays = "KeptByOwner"  // it has another owner
	Orphaned     WhyStays = "Orphaned"     // --cascade=orphan
	NotCollected WhyStays = "NotCollected" // the garbage collector can't judge one of its owner references
	OwnerNotRead WhyStays = "OwnerNotRead" // whether another owner is there could not be read: it may go
)

// Staying are dependents that are not deleted.
type Staying struct {
	Why     WhyStays      `json:"why"`
	Owner   *finding.Ref  `json:"owner,omitempty"`
	Objects []finding.Ref `json:"objects"`
	Message string        `json:"message"`
}

// Broken is something elsewhere that uses what goes.
type Broken struct {
	Object  finding.Ref `json:"object"`
	Uses    finding.Ref `json:"uses"`
	What    string      `json:"what"`              // the webhook, or the group and version that is served
	Refuses bool        `json:"refuses,omitempty"` // requests are refused then
	Message string      `json:"message"`
}

// Loss is what a controller loses.
type Loss string

// What a controller loses.
const (
	LosesWorkload Loss = "Workload" // it is deleted itself
	LosesAccount  Loss = "Account"  // the ServiceAccount as which it runs
	LosesRights   Loss = "Rights"   // to change the objects
)

// Later are objects elsewhere that have no controller any more, or one that can't do its work.
type Later struct {
	Finalizer  string         `json:"finalizer"`
	Resource   string         `json:"resource"`
	Objects    []finding.Ref  `json:"objects"`           // that was not deleted
	Waiting    []finding.Ref  `json:"waiting,omitempty"` // that are being deleted now, and would hang
	Controller finding.Ref    `json:"controller"`
	State      string         `json:"state"` // of the controller now, as explain has it
	Loses      Loss           `json:"loses"`
	Reason     finding.Reason `json:"reason"`
	Message    string         `json:"message"`
}
