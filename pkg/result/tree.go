package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Tree is a target with owners and dependents, or everything Terminating, with its waits. Its kind is BlockingGraph.
type Tree struct {
	APIVersion   string               `json:"apiVersion"`
	Kind         string               `json:"kind"`
	GeneratedAt  time.Time            `json:"generatedAt"`
	Undated      bool                 `json:"-"`                   // as Voice.Undated
	Target       *finding.Ref         `json:"target,omitempty"`    // absent for the forest of everything Terminating
	Namespace    string               `json:"namespace,omitempty"` // of that forest; absent for all
	Nodes        []TreeNode           `json:"nodes"`
	Edges        []TreeEdge           `json:"edges"`
	Verdict      Verdict              `json:"verdict,omitempty"` // on the target, if it is Terminating
	RootCauses   []RootCause          `json:"rootCauses"`        // those of everything Terminating among the nodes
	Unreadable   []finding.Unreadable `json:"unreadable"`
	LeftOut      string               `json:"leftOut,omitempty"`  // what was not looked for on purpose
	Contents     []TreeContent        `json:"contents,omitempty"` // of a target that is a namespace and is not Terminating
	Ask          finding.Command      `json:"ask,omitempty"`      // the command that says why the target waits, or list
	LabelColumns []string             `json:"-"`                  // the labels that a person wants to see
	Clusters     []Cluster            `json:"clusters,omitempty"`
	Parts        []*Tree              `json:"-"` // of each cluster that answered, if several were asked
}

// TreeContent are the objects of one kind in a namespace.
type TreeContent struct {
	Resource string `json:"resource"` // RESOURCE or RESOURCE.GROUP
	Count    int    `json:"count"`
	Held     int    `json:"held,omitempty"` // of these, with finalizers
	Name     string `json:"name"`           // the name of one of them
}

// TreeNode is one object.
type TreeNode struct {
	graph.Node
	Resource string `json:"resource,omitempty"` // RESOURCE or RESOURCE.GROUP, where the kind is served
	// Known is false for an object that is known only from references: nothing else here says anything about it.
	Known       bool              `json:"known"`
	CreatedAt   *time.Time        `json:"createdAt,omitempty"`
	RequestedAt *time.Time        `json:"requestedAt,omitempty"` // of the deletion
	Finalizers  []string          `json:"finalizers,omitempty"`
	Ready       string            `json:"ready,omitempty"`   // in kubectl's words
	Status      string            `json:"status,omitempty"`  // in kubectl's words
	Labels      map[string]string `json:"labels,omitempty"`  // the ones that were asked for
	Reasons     []finding.Reason  `json:"reasons,omitempty"` // the root causes that are told about this object
	Misses      []finding.Ref     `json:"-"`                 // what it refers to, and what doesn't exist
	Foreseen    bool              `json:"-"`                 // it was not deleted: this is how it would stand
}

// TreeEdge joins two nodes.
type TreeEdge struct {
	graph.Edge
	Blocks bool `json:"blocks,omitempty"` // From waits for To in foreground deletion: blockOwnerDeletion
	// Reference says what is wrong with an owner reference; empty when nothing is.
	Reference finding.Ownership `json:"reference,omitempty"`
}
