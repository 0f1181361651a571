// Package zoo breaks clusters in known ways. A scenario is data: the steps that break a control
// plane, what to ask about, and the true answer.
package zoo

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

//go:embed scenarios/*.yaml
var scenarios embed.FS

// Scenario is one stuck cluster, and the true answers about it.
type Scenario struct {
	ID string `json:"id"`
	// Title says in a line what is wrong.
	Title string `json:"title"`
	// Exclusive scenarios do something to the whole control plane, and are played alone on one, after others of the
	// kind.
	Exclusive bool `json:"exclusive,omitempty"`
	Versions
	Steps []Step `json:"steps"`
	// As is what the asking user may do. Without it, everything.
	As *User `json:"as,omitempty"`
	// Question is what is asked. A scenario with several has them in Targets instead.
	Question
	Targets []Question `json:"targets,omitempty"`
	// Check is what check must find, and what it must not, before anything is asked.
	Check *Check `json:"check,omitempty"`
	// Cleanup is done at the end, come what may, by what would disturb the scenarios that follow. What
	// it deletes may be gone already.
	Cleanup []Step `json:"cleanup,omitempty"`
}

// Questions returns what is asked, one after the other.
func (s Scenario) Questions() []Question {
	if len(s.Targets) > 0 {
		return s.Targets
	}
	return []Question{s.Question}
}

// RecordingName returns the name of the recording of one of the scenario's questions, without the extension.
func (s Scenario) RecordingName(question Question) string {
	for i, other := range s.Targets {
		if other.Target == question.Target && other.Namespace == question.Namespace &&
			slices.Equal(other.Args, question.Args) {
			return fmt.Sprintf("%s-%d", s.ID, i+1)
		}
	}
	return s.ID
}

// BeforeDeletion splits a scenario before its first deletion; after has no steps where it asks for none.
func (s Scenario) BeforeDeletion() (before, after Scenario) {
	before, after = s, s
	first := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Delete != nil })
	if first < 0 {
		first = len(s.Steps)
	}
	before.Steps, after.Steps = s.Steps[:first], s.Steps[first:]
	return before, after
}

// Foreseeable reports whether everything that makes the target hang is there before the first deletion: what follows
// only deletes, waits, or makes things older.
func (s Scenario) Foreseeable() bool {
	_, after := s.BeforeDeletion()
	return len(after.Steps) > 0 && !slices.ContainsFunc(after.Steps, func(step Step) bool {
		waits := step.Until != nil && !step.Until.LeaseStale // one that grows stale is held at first
		return step.Delete == nil && !waits && step.Aged == nil
	})
}

// AgedBeforeAsked reports whether a scenario makes a target older once it is deleted: only time shows what is wrong
// with it.
func (s Scenario) AgedBeforeAsked(question Question) bool {
	_, after := s.BeforeDeletion()
	return slices.ContainsFunc(after.Steps, func(step Step) bool {
		return step.Aged != nil && step.Aged.Object == Object{Object: question.Target, Namespace: question.Namespace}
	})
}

// Step is one thing to do to the cluster, or to wait for. Exactly one field is set.
type Step struct {
	// Apply creates the objects of one or more YAML documents, in order. Placeholders are filled in
	// (docs/zoo.md).
	Apply string `json:"apply,omitempty"`
	// Many creates many objects.
	Many *Many `json:"many,omitempty"`
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
	// Refused waits until the API server refuses a write.
	Refused *Refused `json:"refused,omitempty"`
	// ControllerManager pauses or resumes kube-controller-manager, or has it run alone: without leader election.
	ControllerManager string `json:"controllerManager,omitempty"`
	// Finalize empties a Namespace's spec.finalizers, as people do who want it gone: it vanishes, and
	// what is in it stays behind.
	Finalize *Object `json:"finalize,omitempty"`
	// Restart stops and starts a component: apiserver.
	Restart string `json:"restart,omitempty"`
	// Etcd overwrites or deletes a key of etcd.
	Etcd *Etcd `json:"etcd,omitempty"`
	// Aged makes what happened to an object longer ago.
	Aged *Aged `json:"aged,omitempty"`
	// Log is what a container of a pod on an alive Node has written.
	Log *Log `json:"log,omitempty"`
}

// Many creates an object as often as Count says, with a number behind its name.
type Many struct {
	Count  int    `json:"count"`
	Object string `json:"object"` // a YAML document
}

// Object names an object: TYPE/NAME, and a namespace if it has one. TYPE/LABEL=VALUE is the only one with
// this label.
type Object struct {
	Object    string `json:"object"`
	Namespace string `json:"namespace,omitempty"`
}

// Patch is a JSON merge patch, or fields to apply.
type Patch struct {
	Object
	Subresource string `json:"subresource,omitempty"`
	// Merge is what to merge. Placeholders are filled in.
	Merge map[string]any `json:"merge"`
	// Manager is the field manager, which managedFields name; kubectl-patch if it is empty.
	Manager string `json:"manager,omitempty"`
	// Apply sends a server-side apply of these fields, which takes them from others.
	Apply bool `json:"apply,omitempty"`
	// As is the user who writes, a ServiceAccount by its user name. He needs the rights for it.
	As string `json:"as,omitempty"`
	// Every repeats the patch in the background for as long as the scenario is looked at: 1s.
	Every metav1.Duration `json:"every,omitempty"`
}

// Log is what a container has written, a line each, which begins with its time: ${now-5m}. Placeholders are filled in.
type Log struct {
	Object           // the pod
	Container string `json:"container"`
	Text      string `json:"text,omitempty"`
	Previous  string `json:"previous,omitempty"` // before the container was restarted
}

// Delete is a deletion; Cascade is background (as kubectl's default), foreground or orphan.
type Delete struct {
	Object
	Cascade      string `json:"cascade,omitempty"`
	GraceSeconds *int64 `json:"graceSeconds,omitempty"`
}

// Own adds an owner reference: Object is then owned by By, which is in the same namespace.
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
	// LeaseStale waits until a Lease was not renewed for longer than its duration.
	LeaseStale bool `json:"leaseStale,omitempty"`
	// TerminatingFor waits until the object's deletion is that old: 61s.
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
	scenario, err := ParseSteps(data)
	if err != nil {
		return Scenario{}, err
	}
	if scenario.Target != "" && len(scenario.Targets) > 0 {
		return Scenario{}, fmt.Errorf("%s: a scenario has either a target or targets", scenario.ID)
	}
	if err := scenario.validVersions(); err != nil {
		return Scenario{}, fmt.Errorf("%s: %w", scenario.ID, err)
	}
	for _, question := range scenario.Questions() {
		if err := question.valid(); err != nil {
			return Scenario{}, fmt.Errorf("%s: %w", scenario.ID, err)
		}
	}
	return scenario, nil
}

// ParseSteps reads a scenario for its steps only: no answer is compared. Unknown fields are errors.
func ParseSteps(data []byte) (Scenario, error) {
	var scenario Scenario
	if err := yaml.UnmarshalStrict(data, &scenario); err != nil {
		return Scenario{}, err
	}
	if scenario.ID == "" || len(scenario.Steps) == 0 {
		return Scenario{}, fmt.Errorf("a scenario needs an id and steps")
	}
	return scenario, nil
}
