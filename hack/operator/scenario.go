package operator

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

//go:embed scenarios/*.yaml
var scenarios embed.FS

// Scenario is a situation that real operators have got into, and the true answers about it.
type Scenario struct {
	// ID is the name of its file.
	ID string `json:"id"`
	// Title says in a line what is wrong, for docs/operators.md.
	Title string `json:"title"`
	// Operators are installed and at work before the first step.
	Operators []string `json:"operators"`
	Steps     []Step   `json:"steps,omitempty"`
	// Targets are what `why` is asked about. `list -A` has to say the same of them.
	Targets []zoo.Question `json:"targets,omitempty"`
	// AnyList says that `list -A` may list more than the targets.
	AnyList bool `json:"anyList,omitempty"`
	// Check are all that `check -A` finds, as REASON KIND/NAME or REASON KIND/NAMESPACE/NAME.
	Check    []string `json:"check,omitempty"`
	AnyCheck bool     `json:"anyCheck,omitempty"`
	// Elsewhere says that answers name other clusters, as far as a kubeconfig leads there: a recording has none.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Explain are finalizers, and text that `explain` has to say of them.
	Explain map[string][]string `json:"explain,omitempty"`
}

// Step is a step of the zoo, or one of these. Exactly one field is set.
type Step struct {
	zoo.Step
	// Install installs an operator, or what is missing of it, and waits until it is at work.
	Install string `json:"install,omitempty"`
	// Uninstall deletes what installed an operator, but its definitions and namespaces: as people do who keep their
	// data.
	Uninstall string `json:"uninstall,omitempty"`
	// Ended waits until no program of an operator runs any more, or of one of its workloads (OPERATOR/KIND/NAME): it
	// was scaled to zero, or its namespace deleted.
	Ended string `json:"ended,omitempty"`
	// LeftOut applies the objects of an operator's manifests that were left out, of one kind: OPERATOR/KIND.
	LeftOut string `json:"leftOut,omitempty"`
	// Cut takes rights away.
	Cut *Cut `json:"cut,omitempty"`
	// Lost waits until an account may not do any more what its Cut names: after a binding was deleted.
	Lost *Cut `json:"lost,omitempty"`
	// Said waits until there is an event about an object.
	Said *Said `json:"said,omitempty"`
	// Tell writes a file that an operator's programs see as /told/NAME: to make a backend fail.
	Tell *Told `json:"tell,omitempty"`
	// Kubeconfig writes a Secret with a kubeconfig, by which a program gets to the hub.
	Kubeconfig *Kubeconfig `json:"kubeconfig,omitempty"`
}

// Cut takes verbs on a resource from a role, and waits until that is in force.
type Cut struct {
	zoo.Object        // the role
	Group      string `json:"group,omitempty"`
	Resource   string `json:"resource"`
	// Verbs that go.
	Verbs []string `json:"verbs"`
	// Account is whose rights they were: system:serviceaccount:NAMESPACE:NAME.
	Account string `json:"account"`
}

// Said is an event of an object, by its reason.
type Said struct {
	zoo.Object
	Reason string `json:"reason"`
	// Text is what its message holds.
	Text string `json:"text,omitempty"`
}

// Told is a file for an operator's programs.
type Told struct {
	Operator string `json:"operator"`
	File     string `json:"file"`
	Text     string `json:"text"`
}

// Scenarios returns all scenarios, by ID.
func Scenarios() ([]Scenario, error) {
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
		var scenario Scenario
		if err := yaml.UnmarshalStrict(data, &scenario); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := scenario.valid(strings.TrimSuffix(path.Base(name), ".yaml")); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, scenario)
	}
	return all, nil
}

func (s Scenario) valid(name string) error {
	if s.ID != name || s.Title == "" || len(s.Operators) == 0 {
		return errors.New("a scenario has the id of its file, a title, and operators")
	}
	for _, question := range s.Targets {
		if question.Target == "" || question.Want.Verdict == "" {
			return errors.New("a target needs a name and a verdict")
		}
	}
	return nil
}
