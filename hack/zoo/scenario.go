// Package zoo breaks clusters in known ways. A scenario is data: the steps that break a control
// plane, what to ask about, and the true answer.
package zoo

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

//go:embed scenarios/*.yaml
var scenarios embed.FS

// Scenario is one stuck cluster and its true causes.
type Scenario struct {
	ID string `json:"id"`
	// Title says in a line what is wrong.
	Title string `json:"title"`
	// Exclusive scenarios do something to the whole control plane and run alone.
	Exclusive bool   `json:"exclusive,omitempty"`
	Steps     []Step `json:"steps"`
	// As is what the asking user may do. Without it, everything.
	As *User `json:"as,omitempty"`
	// Target is what is asked about: TYPE/NAME, in Namespace if it has one.
	Target    string `json:"target"`
	Namespace string `json:"namespace,omitempty"`
	Want      Answer `json:"want"`
	// Cleanup is done at the end, come what may, by what would disturb the scenarios that follow. What
	// it deletes may be gone already.
	Cleanup []Step `json:"cleanup,omitempty"`
}

// User is somebody with some rights in the whole cluster.
type User struct {
	Rules []rbacv1.PolicyRule `json:"rules"`
}

// Answer is what `why` must say.
type Answer struct {
	Verdict string `json:"verdict"`
	// Causes are all the root causes, no more and no fewer.
	Causes []Cause `json:"causes,omitempty"`
	// Unreadable are all resources that could not be looked at.
	Unreadable []string `json:"unreadable,omitempty"`
	// Says is text that must stand in the summary.
	Says []string `json:"says,omitempty"`
	// Heals are remedies that are followed, as offered, after the answer: each as the number of a
	// cause and the number of one of its remedies, from 1. The target must then go.
	Heals [][2]int `json:"heals,omitempty"`
}

// Cause is one root cause: a reason, and its object as Kind/name or Kind/namespace/name.
type Cause struct {
	Reason string `json:"reason"`
	Object string `json:"object"`
	// Count is how many objects share the cause; 0 means 1.
	Count int `json:"count,omitempty"`
	// Path is the way from the target to the object, as Kind/name each.
	Path []string `json:"path,omitempty"`
}

// Step is one thing to do to the cluster, or to wait for. Exactly one field is set.
type Step struct {
	// Apply creates the objects of one or more YAML documents, in order. ${uid:TYPE/NAME} stands
	// for the uid of an object in the namespace of the document it is used in, or of a
	// cluster-scoped one.
	Apply string `json:"apply,omitempty"`
	// Patch merges into an object, or into its status.
	Patch *Patch `json:"patch,omitempty"`
	// Delete asks for the deletion of an object.
	Delete *Delete `json:"delete,omitempty"`
	// DeadNode adds a Node without a kubelet and waits until the cluster knows it as dead.
	DeadNode string `json:"deadNode,omitempty"`
	// AliveNode adds a Node with a simulated kubelet and waits until it is ready.
	AliveNode string `json:"aliveNode,omitempty"`
	// Until waits for a state of an object.
	Until *Until `json:"until,omitempty"`
	// Own makes one object the owner of another, with blockOwnerDeletion. It may be the same.
	Own *Own `json:"own,omitempty"`
	// ControllerManager pauses or resumes kube-controller-manager.
	ControllerManager string `json:"controllerManager,omitempty"`
	// Etcd overwrites or deletes a key of etcd.
	Etcd *Etcd `json:"etcd,omitempty"`
}

// Object names an object: TYPE/NAME, and a namespace if it has one.
type Object struct {
	Object    string `json:"object"`
	Namespace string `json:"namespace,omitempty"`
}

// Patch is a JSON merge patch.
type Patch struct {
	Object
	Subresource string         `json:"subresource,omitempty"`
	Merge       map[string]any `json:"merge"`
}

// Delete is a deletion; Cascade is background (as kubectl's default), foreground or orphan.
type Delete struct {
	Object
	Cascade      string `json:"cascade,omitempty"`
	GraceSeconds *int64 `json:"graceSeconds,omitempty"`
}

// Own adds an owner reference: Object is then owned by By, which stands in the same namespace.
type Own struct {
	Object
	By string `json:"by"`
}

// Until is a state of an object: gone, or a JSONPath that yields a value.
type Until struct {
	Object
	Gone bool `json:"gone,omitempty"`
	// Path is a JSONPath template as kubectl takes it: {.status.phase}. It must yield Is, or, when
	// Is is empty, anything.
	Path string `json:"path,omitempty"`
	Is   string `json:"is,omitempty"`
	// LeaseStale waits until nobody has renewed a Lease for longer than its duration.
	LeaseStale bool `json:"leaseStale,omitempty"`
	// TerminatingFor waits until the object's deletion is that old: 16s.
	TerminatingFor metav1.Duration `json:"terminatingFor,omitempty"`
}

// All returns the scenarios that come with the project, by ID.
func All() ([]Scenario, error) {
	names, err := fs.Glob(scenarios, "scenarios/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, name := range names {
		data, err := scenarios.ReadFile(name)
		if err != nil {
			return nil, err
		}
		scenario, err := Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, scenario)
	}
	slices.SortFunc(all, func(a, b Scenario) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

// Parse reads one scenario. Unknown fields are errors.
func Parse(data []byte) (Scenario, error) {
	var scenario Scenario
	if err := yaml.UnmarshalStrict(data, &scenario); err != nil {
		return Scenario{}, err
	}
	if scenario.ID == "" || scenario.Target == "" || len(scenario.Steps) == 0 {
		return Scenario{}, fmt.Errorf("a scenario needs an id, a target and steps")
	}
	return scenario, nil
}
