package mcpserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// input is what a tool is called with.
type input interface {
	// question returns the command that it stands for.
	question() (Question, error)
	// most is how many entries of each list are wanted.
	most() int
}

// limited says how long the lists of an answer may be.
type limited struct {
	Limit int `json:"limit,omitempty"`
}

const (
	usualLimit = 50
	mostLimit  = 500
)

func (l limited) most() int {
	if l.Limit <= 0 {
		return usualLimit
	}
	return min(l.Limit, mostLimit)
}

// where is what most tools are asked about.
type where struct {
	Namespace     string `json:"namespace,omitempty"`
	AllNamespaces bool   `json:"allNamespaces,omitempty"`
	limited
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

// objects are what a tool that needs some is asked about.
type objects struct {
	Targets  []string `json:"targets"`
	Selector string   `json:"selector,omitempty"`
	where
}

func (o objects) ask(command string, flags ...string) (Question, error) {
	if len(o.Targets) == 0 {
		return Question{}, errors.New("name what you ask about in targets, for example ns/payments")
	}
	return o.where.ask(command, o.Targets, append(flags, flag("selector", o.Selector))...)
}

type whyInput struct {
	objects
	Deep bool `json:"deep,omitempty"`
}

func (i whyInput) question() (Question, error) { return i.ask("why", flag("deep", i.Deep)) }

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
	objects
	Cascade string `json:"cascade,omitempty"`
}

func (i previewInput) question() (Question, error) {
	return i.ask("preview", flag("cascade", i.Cascade))
}

type explainInput struct {
	Finalizer string `json:"finalizer,omitempty"`
	Kind      string `json:"kind,omitempty"`
	limited
}

func (i explainInput) question() (Question, error) {
	var finalizers []string
	if i.Finalizer != "" {
		finalizers = []string{i.Finalizer}
	}
	return where{}.ask("explain", finalizers, flag("kind", i.Kind))
}
