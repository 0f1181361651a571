package report

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Tree is a target with its owners and its dependents, or everything Terminating, and what of it waits
// for what. Its kind is BlockingGraph.
type Tree struct {
	APIVersion  string    `json:"apiVersion"`
	Kind        string    `json:"kind"`
	GeneratedAt time.Time `json:"generatedAt"`
	// Target is absent for the forest of everything Terminating.
	Target *finding.Ref `json:"target,omitempty"`
	Nodes  []TreeNode   `json:"nodes"`
	Edges  []TreeEdge   `json:"edges"`
	// RootCauses are those of everything Terminating among the nodes.
	RootCauses []RootCause  `json:"rootCauses"`
	Unreadable []Unreadable `json:"unreadable"`
	// LeftOut says what was not looked for on purpose.
	LeftOut string          `json:"leftOut,omitempty"`
	Ask     finding.Command `json:"ask,omitempty"` // the command that tells why the target waits
	// LabelColumns are the labels that a person wants to see.
	LabelColumns []string `json:"-"`
}

// TreeNode is one object.
type TreeNode struct {
	graph.Node
	Resource string `json:"resource,omitempty"` // RESOURCE or RESOURCE.GROUP, where the kind is served
	// Known is false for an object of which only references are known: nothing else here says anything
	// about it.
	Known       bool              `json:"known"`
	CreatedAt   *time.Time        `json:"createdAt,omitempty"`
	RequestedAt *time.Time        `json:"requestedAt,omitempty"` // of the deletion
	Finalizers  []string          `json:"finalizers,omitempty"`
	Ready       string            `json:"ready,omitempty"`  // in kubectl's words
	Status      string            `json:"status,omitempty"` // in kubectl's words
	Labels      map[string]string `json:"labels,omitempty"` // those that were asked for
	// Reasons are the root causes that are told about this object.
	Reasons []finding.Reason `json:"reasons,omitempty"`
}

// TreeEdge joins two nodes.
type TreeEdge struct {
	graph.Edge
	// Blocks says that From waits for To in foreground deletion: blockOwnerDeletion.
	Blocks bool `json:"blocks,omitempty"`
	// Reference says what is wrong with an owner reference; empty when nothing is.
	Reference finding.Ownership `json:"reference,omitempty"`
}
