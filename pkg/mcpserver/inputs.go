package mcpserver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// input is what a tool is called with.
type input interface {
	// question returns the command that it stands for.
	question() (Question, error)
	// most is how many entries of each list are wanted.
	most() int
}

// where is what most tools are asked about.
type where struct {
	Namespace     string `json:"namespace,omitempty"`
	AllNamespaces bool   `json:"allNamespaces,omitempty"`
	Limit         int    `json:"limit,omitempty"`
}

const (
	usualLimit = 50
	mostLimit  = 500
)

func (w where) most() int {
	if w.Limit <= 0 {
		return usualLimit
	}
	return min(w.Limit, mostLimit)
}

func (w where) ask(command string, targets []string, flags ...string) (Question, error) {
	for _, target := range targets {
		if target == "" || target == "-" {
			return Question{}, errors.New("name objects as TYPE/NAME, for example ns/payments")
		}
	}
	if w.AllNamespaces {
		flags = append(flags, "--all-namespaces")
	}
	flags = slices.DeleteFunc(flags, func(flag string) bool { return flag == "" })
	return Question{Command: command, Namespace: w.Namespace, Args: slices.Concat(flags, []string{"--"}, targets)}, nil
}

// flag writes down a flag with a value: nothing for the value that means none.
func flag[T comparable](name string, value T) string {
	var none T
	if value == none {
		return ""
	}
	return fmt.Sprintf("--%s=%v", name, value)
}

type whyInput struct {
	Targets  []string `json:"targets"`
	Selector string   `json:"selector,omitempty"`
	Deep     bool     `json:"deep,omitempty"`
	where
}

func (i whyInput) question() (Question, error) {
	if len(i.Targets) == 0 {
		return Question{}, errors.New("name what you ask about in targets, for example ns/payments")
	}
	return i.ask("why", i.Targets, flag("selector", i.Selector), flag("deep", i.Deep))
}

type listInput struct {
	Selector  string `json:"selector,omitempty"`
	OlderThan string `json:"olderThan,omitempty"`
	where
}

func (i listInput) question() (Question, error) {
	return i.ask("list", nil, flag("selector", i.Selector), flag("older-than", i.OlderThan))
}

type treeInput struct {
	Target string `json:"target,omitempty"`
	Depth  int    `json:"depth,omitempty"`
	where
}

func (i treeInput) question() (Question, error) {
	var targets []string
	if i.Target != "" {
		targets = strings.Fields(i.Target)
	}
	return i.ask("tree", targets, flag("depth", i.Depth))
}

type checkInput struct{ where }

func (i checkInput) question() (Question, error) { return i.ask("check", nil) }

type previewInput struct {
	Targets  []string `json:"targets"`
	Selector string   `json:"selector,omitempty"`
	Cascade  string   `json:"cascade,omitempty"`
	where
}

func (i previewInput) question() (Question, error) {
	if len(i.Targets) == 0 {
		return Question{}, errors.New("name what would be deleted in targets, for example ns/payments")
	}
	return i.ask("preview", i.Targets, flag("selector", i.Selector), flag("cascade", i.Cascade))
}

type explainInput struct {
	Finalizer string `json:"finalizer,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Limit     int    `json:"limit,omitempty"`
}

func (i explainInput) question() (Question, error) {
	var finalizers []string
	if i.Finalizer != "" {
		finalizers = []string{i.Finalizer}
	}
	return where{}.ask("explain", finalizers, flag("kind", i.Kind))
}

func (i explainInput) most() int { return where{Limit: i.Limit}.most() }

// inputSchema returns the schema of a tool's input, with what help says of the flags.
func inputSchema[In input](tool string) (*jsonschema.Schema, error) {
	takes, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, err
	}
	words := parameters()
	for name, parameter := range takes.Properties {
		parameter.Description = cmp.Or(words[tool+"."+name], words[name])
		if parameter.Description == "" {
			return nil, fmt.Errorf("nothing says what %s is", name)
		}
	}
	if cascade := takes.Properties["cascade"]; cascade != nil {
		cascade.Enum = []any{"background", "foreground", "orphan"}
	}
	if targets := takes.Properties["targets"]; targets != nil {
		targets.Type, targets.Types = "array", nil // and never null
	}
	return takes, nil
}

// parameters says what each parameter is, of one tool where a tool is named.
func parameters() map[string]string {
	return map[string]string{
		"namespace": "The namespace, as kubectl's -n. Default: that of the kubeconfig's context.",
		"allNamespaces": "All namespaces, and what is in none, as kubectl's -A. " +
			"With targets it needs a type alone, or a selector.",
		"limit": "How many entries of each list to return at most, the worst first: 1 to 500. Default: 50.",
		"why.targets": "The objects, as TYPE/NAME: ns/payments, pvc/data, databases.shop.example.com/orders. " +
			"Or one TYPE, or TYPE,TYPE: whatever of that is Terminating; " +
			"with selector: every object of it that has the labels.",
		"preview.targets": "The objects that would be deleted together, as TYPE/NAME; with selector: a TYPE.",
		"selector":        "Take all objects of a type with these labels, for example app=web.",
		"list.selector":   "Only objects with these labels, for example app=web.",
		"deep": "Read every kind of object where nothing narrower decides: all that is in a namespace, " +
			"and dependents in all namespaces. Slow on large clusters.",
		"olderThan": "Only what was deleted longer ago than this, for example 30m, 4h or 2d.",
		"target": "The object, as TYPE/NAME. " +
			"Without it: everything Terminating in the namespace, or with allNamespaces in the cluster.",
		"depth":   "How many steps to go up and down from the object. Default: all of them.",
		"cascade": "How dependents are deleted, as kubectl delete has it. Default: background.",
		"finalizer": "The finalizer, for example foregroundDeletion or shop.example.com/cleanup. " +
			"Without it and without kind: the projects of which finalizers are known.",
		"kind": "The kind that has it, as KIND or KIND.GROUP, or by another name that kubectl takes; " +
			"without a finalizer: everything that is known to hold this kind.",
	}
}
