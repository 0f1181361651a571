package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// APIVersion is the version of the results.
const APIVersion = "finalizers.kubectl/v1alpha1"

// Diagnosis answers why one object is still there.
type Diagnosis struct {
	APIVersion  string      `json:"apiVersion"`
	Kind        string      `json:"kind"`
	GeneratedAt time.Time   `json:"generatedAt"`
	Target      finding.Ref `json:"target"`
	Verdict     Verdict     `json:"verdict"`
	Summary     string      `json:"summary"`
	Sums        Sums        `json:"-"`                  // the summary as people read it
	Deletion    *Deletion   `json:"deletion,omitempty"` // absent when it isn't Terminating
	RootCauses  []RootCause `json:"rootCauses"`
	// Takes says what goes with the Terminating objects in view, once they go: volumes and their data.
	Takes []finding.Taken `json:"takes,omitempty"`
	// Keep is the step that keeps data of volumes which would go; absent where there are none.
	Keep *finding.Remedy `json:"keep,omitempty"`
	// Rescue is the command that says what can still be kept, where data is about to go.
	Rescue finding.Command `json:"rescue,omitempty"`
	// Mistake says beside Rescue what may be lost, if Takes does not; Wide is the command for the answer with all that
	// it has.
	Mistake string          `json:"-"`
	Wide    finding.Command `json:"-"`
	// Observations say what is in progress, and what is not clear, if that is no root cause.
	Observations []Observation `json:"observations,omitempty"`
	Graph        Graph         `json:"graph"`
	// History tells in which order things happened, the oldest first, as far as what was read tells. HistoryLeftOut is
	// how many earlier things are not in it.
	History        []Happening          `json:"history,omitempty"`
	HistoryLeftOut int                  `json:"historyLeftOut,omitempty"`
	Unreadable     []finding.Unreadable `json:"unreadable"`
	// Clusters are the other clusters that were asked, and what became of that. Their references name them.
	Clusters []Cluster `json:"clusters,omitempty"`
	// Ask is a command that reads, with kubectl alone, what manifests lack, or what the user may not read: with its output
	// beside the rest, the answer says more.
	Ask finding.Command `json:"ask,omitempty"`
}

// Sums sums up: a sentence, and, where it says that several things block the object, a few of them and how many more.
type Sums struct {
	Text  string
	Items []string
	More  int
}

// Happening is one thing that happened to an object.
type Happening struct {
	At        time.Time   `json:"at"`
	Object    finding.Ref `json:"object"`
	Situation string      `json:"situation"` // in one word, with the parameters in Details
	Details   any         `json:"details,omitempty"`
	Message   string      `json:"message"`
	Count     int         `json:"count"` // how often it is known to have happened; At is the last time
}

// Deletion says what keeps a Terminating object.
type Deletion struct {
	RequestedAt        time.Time      `json:"requestedAt"`
	GracePeriodSeconds *int64         `json:"gracePeriodSeconds,omitempty"` // of Pods only
	Holds              []finding.Hold `json:"holds"`
}

// RootCause is a leaf of the blocking graph that another program has to fix. Causes that differ by their object alone
// are one.
type RootCause struct {
	Reason    finding.Reason     `json:"reason"`
	Situation string             `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details   any                `json:"details,omitempty"`
	Key       string             `json:"-"` // what has to be repaired
	Object    finding.Ref        `json:"object"`
	Finalizer string             `json:"finalizer,omitempty"`
	Also      []string           `json:"alsoFinalizers,omitempty"` // that the same thing should remove
	Entries   []Entry            `json:"entries,omitempty"`        // those of each object, if these have different ones
	Message   string             `json:"message"`
	InShort   finding.InShort    `json:"-"` // the message, as the default output has it
	Rest      *finding.InShort   `json:"-"` // what the sentence that sums up leaves of it to say, if it says it
	Certainty finding.Certainty  `json:"certainty"`
	Count     int                `json:"count"`            // objects with this cause, Object included
	Others    []finding.Ref      `json:"others,omitempty"` // the objects besides Object
	Evidence  []finding.Evidence `json:"evidence"`
	// Signs are what points at the programs that were considered as the controller, the likelier first.
	Signs    []finding.ProgramSigns `json:"signs,omitempty"`
	Path     []finding.Ref          `json:"path"` // the waits from the target to the object
	Remedies []finding.Remedy       `json:"remedies"`
	// Candidates may be responsible for the finalizer: they run, or this could not be read.
	Candidates []finding.Ref `json:"candidates,omitempty"`
	Unseen     bool          `json:"unseen,omitempty"` // an unknown program is alive, and may be the controller
	Unread     []string      `json:"unread,omitempty"` // what would have to be read to tell whose the finalizer is
	Frees      int           `json:"frees"`            // Terminating objects in view that wait on this cause alone
	EndsWith   []int         `json:"-"`                // causes among a list's: when one of them is fixed, this is over
}

// Observation is something in progress, something not clear, or, without a verdict, something that will matter later.
type Observation struct {
	Verdict   Verdict                `json:"verdict,omitempty"`   // Progressing or Undetermined
	Situation string                 `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details   any                    `json:"details,omitempty"`
	Object    finding.Ref            `json:"object"`
	Holds     []finding.Hold         `json:"holds,omitempty"` // that it is about; without any it is about the object
	Message   string                 `json:"message"`
	InShort   finding.InShort        `json:"-"` // the message, as the default output has it
	Rest      *finding.InShort       `json:"-"` // what the sentence that sums up leaves of it to say, if it says it
	Evidence  []finding.Evidence     `json:"evidence,omitempty"`
	Signs     []finding.ProgramSigns `json:"signs,omitempty"`    // as of a root cause
	Until     *time.Time             `json:"until,omitempty"`    // when it should be over
	Remedies  []finding.Remedy       `json:"remedies,omitempty"` // safest first, or how to learn more
}

// Graph is the blocking graph; edges refer to nodes by index.
type Graph struct {
	Nodes []graph.Node `json:"nodes"`
	Edges []graph.Edge `json:"edges"`
}

// GraphOf returns a graph as results have it.
func GraphOf(g *graph.Graph) Graph {
	return Graph{Nodes: append([]graph.Node{}, g.Nodes()...), Edges: append([]graph.Edge{}, g.Edges()...)}
}

// DiagnosisList answers for several targets.
type DiagnosisList struct {
	APIVersion string      `json:"apiVersion"`
	Kind       string      `json:"kind"`
	Items      []Diagnosis `json:"items"`
	Clusters   []Cluster   `json:"clusters,omitempty"`
}

// InSeconds returns a time as results have it: in UTC, and as exact as Kubernetes' own times.
func InSeconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// Evidence returns evidence with its times as results have them. It is never nil.
func Evidence(evidence []finding.Evidence) []finding.Evidence {
	rounded := make([]finding.Evidence, len(evidence))
	for i, sign := range evidence {
		if sign.At != nil {
			at := InSeconds(*sign.At)
			sign.At = &at
		}
		rounded[i] = sign
	}
	return rounded
}
