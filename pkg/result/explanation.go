package result

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Explanation is what is known of a finalizer, or of the finalizers on a kind.
type Explanation struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Finalizer  string     `json:"finalizer,omitempty"` // the one that was asked about; empty when all on a kind were
	OnKind     string     `json:"onKind,omitempty"`    // the kind that was asked about, if one was
	Known      []Known    `json:"known"`               // what fits best first
	Cluster    *InCluster `json:"cluster,omitempty"`   // absent where no finalizer was named

	Program finding.Program `json:"-"` // how it is asked again
}

// Known is what a plugin says of a finalizer: its fields (docs/plugins.md), and where it says so.
type Known struct {
	Project string `json:"project"`
	File    string `json:"file"`
	plugins.Finalizer
	// Verified and Source are the plugin's. Verified is never absent here, and Source follows Doubt.
	Verified plugins.Verified `json:"verified"`
	Doubt    string           `json:"doubt,omitempty"` // why its removal is not certain; empty when it is
	Source   string           `json:"source,omitempty"`
}

// Explained returns what a plugin says of a finalizer.
func Explained(finalizer plugins.Finalizer) Known {
	return Known{
		Project: finalizer.Project, File: finalizer.File, Finalizer: finalizer,
		Verified: finalizer.Verified, Doubt: finalizer.Verified.Doubt(), Source: finalizer.Source,
	}
}

// ProjectList is the projects with known finalizers.
type ProjectList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Items      []Project `json:"items"`
}

// Project is one plugin.
type Project struct {
	Project    string   `json:"project"`
	File       string   `json:"file"`
	Finalizers []string `json:"finalizers"`
}
