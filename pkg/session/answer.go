package session

import (
	"iter"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Answer is what a mechanism found. An empty answer says that nothing holds the object any more.
type Answer struct {
	Waits    []Wait
	Causes   []finding.Finding
	Progress []finding.Finding // something acts, and nothing says that it can't finish
	Open     []finding.Finding // what was readable doesn't settle it
	Remarks  []finding.Finding // what comes later, or was left out on purpose: no part of the verdict

	Removal Removal // whether the write that would end the hold is due, and was judged
	By      string  // the user name of who sends this write, if that is known

	Guessed *Guessed // what the hold may wait for besides

	Abroad []Abroad // what it waits for in other clusters that were asked
}

// Abroad is what a hold waits for in another cluster. The answer is as if that cluster were the only one: its objects
// are those of that cluster, but for the held one, whose reference has the mark HeldHere for its cluster.
type Abroad struct {
	Cluster string // the context by which it was asked
	Held    *Object
	Answer  Answer
}

// HeldHere stands for the cluster of a held object in what is said of another cluster.
const HeldHere = "\x00"

// Guessed is what a hold may wait for: objects that are Terminating too, by what binds them to the held one. Each wait
// is likely and no more, and what becomes of it shows only in the whole graph.
type Guessed struct {
	Waits []Wait            // each with its Bond
	Note  finding.Finding   // called for each wait that remains, with its evidence and finding.BelowDetails
	Open  []finding.Finding // told with them, too
	// Instead is the answer if none of the waits remains.
	Instead Answer
}

// Bond is what binds the blocker of a guessed wait to the held object.
type Bond struct {
	Strength Strength
	Link     finding.Phrase // how the blocker is bound: in parentheses after its name
	Evidence []finding.Evidence
	// IfStuck says that the wait counts only where its blocker is stuck: else it may be everyday business.
	IfStuck bool
}

// Strength orders bonds. Objects don't wait for one another in a circle: of the waits that close one, the weakest fall.
type Strength int

// The strengths of bonds.
const (
	NamedInSpec   Strength = iota + 1 // a field of its spec names the blocker
	NamedInStatus                     // a field of its status does
	NamedInWords                      // a text of its status does
	BearsUID                          // the blocker bears its uid
	OwnedByIt                         // the blocker refers to it as its owner
)

// Removal is how it stands with the write that would end a hold.
type Removal string

// What may refuse a write matters where it is due.
const (
	RemovalDue    Removal = ""       // as far as the answer says, and what refuses it was not asked
	RemovalJudged Removal = "Judged" // what refuses it, as who sends it, is part of the answer
	RemovalUnsure Removal = "Unsure" // it is not known whether it is due
)

// Wait is an edge of the blocking graph: the hold waits for the blocker.
type Wait struct {
	Blocker *Object
	// ForAnswer says that the hold waits for what the blocker should do, not for its going. It is never expanded then.
	ForAnswer bool
	Otherwise Answer           // the answer at the blocker if it isn't being deleted itself
	Relation  finding.EdgeType // the edge beside the wait, if there is one: Owns or Contains
	Bond      *Bond            // of a guessed wait

	Personal bool // a write is refused because of who sends it
}

// Until is the wait until a blocker is removed. otherwise returns the answer at a blocker that isn't being deleted.
func Until(blocker *Object, otherwise func() Answer) Wait {
	wait := Wait{Blocker: blocker}
	if !blocker.Terminating() {
		wait.Otherwise = otherwise()
	}
	return wait
}

// Blamed goes through the causes at what the answer waits for.
func (a Answer) Blamed() iter.Seq[*finding.Finding] {
	return func(yield func(*finding.Finding) bool) {
		for _, wait := range a.Waits {
			for i := range wait.Otherwise.Causes {
				if !yield(&wait.Otherwise.Causes[i]) {
					return
				}
			}
		}
	}
}

// AllCauses goes through an answer's own causes, and then through the blamed ones.
func (a Answer) AllCauses() iter.Seq[*finding.Finding] {
	return func(yield func(*finding.Finding) bool) {
		for i := range a.Causes {
			if !yield(&a.Causes[i]) {
				return
			}
		}
		a.Blamed()(yield)
	}
}

// AwaitAnswer is the answer of a wait for something that the blocker should do, and the cause that it doesn't.
func AwaitAnswer(blocker *Object, cause finding.Finding) Answer {
	return Answer{Waits: []Wait{{Blocker: blocker, ForAnswer: true, Otherwise: Cause(cause)}}}
}

// Add adds what another answer says.
func (a *Answer) Add(b Answer) {
	a.Waits = append(a.Waits, b.Waits...)
	a.Causes = append(a.Causes, b.Causes...)
	a.Progress = append(a.Progress, b.Progress...)
	a.Open = append(a.Open, b.Open...)
	a.Remarks = append(a.Remarks, b.Remarks...)
	a.Abroad = append(a.Abroad, b.Abroad...)
}

// Progress is the answer of something that acts.
func Progress(note finding.Finding) Answer { return Answer{Progress: []finding.Finding{note}} }

// Open is the answer where what was readable doesn't settle it.
func Open(note finding.Finding) Answer { return Answer{Open: []finding.Finding{note}} }

// Cause is the answer of one cause.
func Cause(cause finding.Finding) Answer { return Answer{Causes: []finding.Finding{cause}} }

// Unread returns the answer for a read that failed: nothing follows from it. The result lists the error itself.
func Unread(what finding.Unread, err error, evidence ...finding.Evidence) Answer {
	answer := Open(finding.Finding{Situation: "NotRead", Details: what.Because(err), Evidence: evidence})
	answer.Removal = RemovalUnsure // what refuses a write matters once it is known that the write is due
	return answer
}

// Absent reports whether an answer is nothing but that a controller isn't there, or may not do what it should.
func (a Answer) Absent() bool {
	absent := []finding.Reason{finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden}
	found := 0
	for cause := range a.AllCauses() {
		if !slices.Contains(absent, cause.Reason) {
			return false
		}
		found++
	}
	return found > 0
}

// Empty reports whether an answer says nothing.
func (a Answer) Empty() bool {
	return len(a.Waits)+len(a.Causes)+len(a.Progress)+len(a.Open)+len(a.Remarks)+len(a.Abroad) == 0 && a.Guessed == nil
}

// The names of programs and accounts of the control plane.
const (
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"   // its Lease's and its field manager's too
	CloudManager      = "cloud-controller-manager"  // its Lease's too
	GarbageCollector  = "generic-garbage-collector" // a ServiceAccount
)
