// Package upstream holds the program to what Kubernetes' own tests assert about deletions: it rebuilds their clusters
// on a real control plane, asks preview before each step and why and list after it, and looks at the objects.
package upstream

import (
	_ "embed"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

//go:embed cases.yaml
var casesData []byte

// Case is one test of Kubernetes.
type Case struct {
	// Test is the test's name, in File of the module k8s.io/kubernetes or k8s.io/apiextensions-apiserver.
	Test string `json:"test"`
	File string `json:"file"`
	// Asserts says in a line what it asserts.
	Asserts string `json:"asserts"`
	// Zoo are the scenarios of the zoo that are the same: then there is nothing to play here.
	Zoo []string `json:"zoo,omitempty"`
	// Says is what the program says where neither scenarios nor moments show it.
	Says string `json:"says,omitempty"`
	// Namespace is where its objects are, and only they are. It is made first.
	Namespace string `json:"namespace,omitempty"`
	// Alone is for what every other question would meet.
	Alone   bool     `json:"alone,omitempty"`
	Moments []Moment `json:"moments,omitempty"`
}

// Moment is a deletion: what leads to it, what preview must foretell, which then must happen, and what why says
// meanwhile. Objects are TYPE/NAME or TYPE/LABEL=VALUE, in the namespace of the case.
type Moment struct {
	Steps []zoo.Step `json:"steps,omitempty"`
	// Delete is the deletion that preview is asked about. It is requested then, unless By says who requests it.
	Delete *zoo.Delete `json:"delete,omitempty"`
	By     []zoo.Step  `json:"by,omitempty"`
	// Outcome is preview's. Goes are gone soon after; Waits are Terminating and stay so; Stays are dependents that stay
	// as they are; Apart is what has nothing to do with it.
	Outcome string         `json:"outcome,omitempty"`
	Goes    []string       `json:"goes,omitempty"`
	Waits   []string       `json:"waits,omitempty"`
	Stays   []string       `json:"stays,omitempty"`
	Apart   []string       `json:"apart,omitempty"`
	Why     []zoo.Question `json:"why,omitempty"`
}

// Cases returns all cases, in the order of the table in the documentation.
func Cases() ([]Case, error) {
	var all []Case
	if err := yaml.UnmarshalStrict(casesData, &all); err != nil {
		return nil, fmt.Errorf("cases.yaml: %w", err)
	}
	return all, nil
}
