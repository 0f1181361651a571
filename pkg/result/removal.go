package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// RemovalOutcome says in one word what became of a removal, of one object's or of the whole.
type RemovalOutcome string

// The outcomes.
const (
	Planned   RemovalOutcome = "Planned"   // nothing was asked for but the plan
	Passed    RemovalOutcome = "Passed"    // a dry run: everything would have been let through
	Refused   RemovalOutcome = "Refused"   // a guard refused; nothing was written
	Gone      RemovalOutcome = "Gone"      // the object is gone
	NotNeeded RemovalOutcome = "NotNeeded" // the object was gone already; nothing was written
	Written   RemovalOutcome = "Written"   // the entries are removed; the command did not wait for the object
	StillHeld RemovalOutcome = "StillHeld" // the entries are removed, and the object is still there
	Failed    RemovalOutcome = "Failed"    // the write was refused, or the object changed before it
	Unknown   RemovalOutcome = "Unknown"   // the write was sent, and what became of it can't be told
	NotDone   RemovalOutcome = "NotDone"   // not come to: something surprising happened before
)

// RemovalReport is what `remove` planned and did.
type RemovalReport struct {
	APIVersion  string         `json:"apiVersion"`
	Kind        string         `json:"kind"`
	GeneratedAt time.Time      `json:"generatedAt"`
	Server      string         `json:"server,omitempty"` // that the plan is for, and as whom
	User        string         `json:"user,omitempty"`
	Forced      bool           `json:"forced"`
	DryRun      string         `json:"dryRun,omitempty"` // client or server
	Outcome     RemovalOutcome `json:"outcome"`
	Summary     string         `json:"summary"`
	Token       string         `json:"token,omitempty"` // confirms exactly this plan, while nothing in it changes
	Word        string         `json:"word,omitempty"`  // that consents to a plan for several objects on a terminal
	// Command carries the plan out where there is no terminal to ask on. There is none where the objects were read from
	// standard input as manifests.
	Command  finding.Command `json:"command,omitempty"`
	Guards   []Guard         `json:"guards"` // the ones that were come to, in order, the one that refused last
	Items    []Removal       `json:"items"`  // in the order in which they are dealt with, dependents before owners
	Refusing *Guard          `json:"-"`      // the guard whose refusal the summary explains; nil for none
}

// Guard is one condition of a removal.
type Guard struct {
	Number  int          `json:"number"` // 1 to 7
	Name    string       `json:"name"`
	Target  *finding.Ref `json:"target,omitempty"` // absent where it is about the whole plan
	Passed  bool         `json:"passed"`
	Why     string       `json:"why,omitempty"`     // what the guard found
	Satisfy string       `json:"satisfy,omitempty"` // what would make it pass
	// Command makes a plan that would not be refused for this; absent where none is known.
	Command   finding.Command `json:"command,omitempty"`
	Situation string          `json:"situation,omitempty"` // why it refused, in one word, with the parameters in Details
	Details   any             `json:"details,omitempty"`

	Rule  string `json:"-"` // what the guard asks for
	Brief string `json:"-"` // Why, where the objections have been told
	Key   string `json:"-"` // the same for guards that refused for the same
}

// RefusingGuard is a guard that refused, in the words of a voice. rule says what it asks for.
func RefusingGuard(
	voice finding.Voice, number int, name string, rule finding.Phrase, refused finding.Finding,
) Guard {
	var command finding.Command
	if len(refused.Remedies) > 0 {
		command = refused.Remedies[0].Command
	}
	return Guard{
		Command: command,
		Number:  number, Name: name, Situation: refused.Situation, Details: refused.Details, Key: refused.Identity(),
		Rule: voice.Phrase(rule), Why: voice.Message(refused), Satisfy: refused.Satisfies(voice), Brief: voice.Brief(refused),
	}
}

// Removal is what is planned for one object, and what was done.
type Removal struct {
	Target          finding.Ref      `json:"target"`
	ResourceVersion string           `json:"resourceVersion"`
	Verdict         Verdict          `json:"verdict"`
	Diagnosis       string           `json:"diagnosis"`            // the one sentence of the diagnosis
	Sums            Sums             `json:"-"`                    // the same as people read it
	Entries         []RemovalEntry   `json:"entries"`              // to be removed, and nothing else
	Remains         []finding.Hold   `json:"remains"`              // what will still hold the object
	Better          []finding.Remedy `json:"better"`               // what to try before force, safest first
	Ways            []BetterWay      `json:"-"`                    // the same by what it is about
	Takes           []finding.Taken  `json:"takes,omitempty"`      // what goes with the object, once it goes
	Risk            finding.Risk     `json:"risk"`                 // the worst of Takes
	Dependents      []finding.Ref    `json:"dependents,omitempty"` // that refer to the object as an owner
	Leftovers       []Leftover       `json:"leftovers,omitempty"`  // that are in the namespace that goes
	Warnings        []string         `json:"warnings,omitempty"`
	Writes          []Write          `json:"writes"`
	Backup          *Backup          `json:"backup,omitempty"`

	Outcome     RemovalOutcome `json:"outcome"`
	Message     string         `json:"message,omitempty"`   // in a sentence what became of it
	Successor   *finding.Ref   `json:"successor,omitempty"` // an object of the same name that was created since
	RequestedAt time.Time      `json:"-"`                   // of the deletion; zero where it was not requested
	// Alike is the same for objects about which a plan says the same but for their names; empty for what is like
	// nothing.
	Alike string     `json:"-"`
	After *Diagnosis `json:"after,omitempty"` // of what still holds the object, when it did not go
}

// RemovalEntry is one finalizer to be removed.
type RemovalEntry struct {
	finding.Hold
	Times     int         `json:"times"`     // that it is in the list
	Justified bool        `json:"justified"` // whether the diagnosis calls for it; Why, in which words
	Why       []string    `json:"why"`
	Loses     []string    `json:"loses"`
	Objected  []Objection `json:"objections,omitempty"`
	LossKeys  []string    `json:"-"` // of Loses: equal ones are of one loss
	LossKinds []string    `json:"-"` // the same as LossKeys, but for which object it is that loses
	// Beside are the causes among Why that no objection tells.
	Beside []CauseOfEntry `json:"-"`
}

// CauseOfEntry is what the diagnosis says of a finalizer to be removed, whether or not it objects to that.
type CauseOfEntry struct {
	Reason    finding.Reason
	Certainty finding.Certainty
	Message   string
	Objects   bool
}

// BetterWay is what to try before the removal by force, about one cause of one hold. Without a reason it is about the
// hold itself, and without a hold about the whole object.
type BetterWay struct {
	Hold     finding.Hold
	Reason   finding.Reason
	Remedies []finding.Remedy
}

// Objection is a reason not to remove an entry, which --override CODE sets aside.
type Objection struct {
	Code       string `json:"code"`
	Message    string `json:"message"`
	Overridden bool   `json:"overridden"`
	// Situation names the objection in one word, and Details are the parameters (docs/json.md).
	Situation string `json:"situation,omitempty"`
	Details   any    `json:"details,omitempty"`
}

// Leftover is objects of one kind that a namespace leaves behind.
type Leftover struct {
	Resource string `json:"resource"`
	Count    int    `json:"count"`
}

// Write is one request that changes the object.
type Write struct {
	Form    string `json:"form"`                            // MergePatch, Finalize or Delete
	Request string `json:"request"`                         // in words: what is sent to what
	DryRun  bool   `json:"dryRun"`                          // there was a dry run of it
	Refusal string `json:"refusal,omitempty"`               // what the server said to that
	Done    bool   `json:"done"`                            // the server carried it out
	Before  string `json:"resourceVersionBefore,omitempty"` // the state that it was sent to
	After   string `json:"resourceVersionAfter,omitempty"`  // empty where the object went with it
	Error   string `json:"error,omitempty"`                 // what the server said, where it is not done
}

// Backup is the file that an object was saved in.
type Backup struct {
	Path         string `json:"path"`
	MetadataOnly bool   `json:"metadataOnly"` // Secrets: no data
	// Create is a file from which the object can be created as it is, and Volume one of a claim's volume.
	Create string `json:"create,omitempty"`
	Volume string `json:"volume,omitempty"`
	// Restore are the steps that bring the object back, in order.
	Restore []finding.Remedy `json:"restore,omitempty"`
}

// RemovalPlan is a removal before anything is done.
type RemovalPlan struct{ *RemovalReport }
