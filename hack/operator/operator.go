package operator

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

//go:embed operators/*.yaml
var operators embed.FS

// Operator is a real operator as data: what is built, what is installed, and which of its containers run.
type Operator struct {
	// Name is that of its file, and of the program that is built.
	Name string `json:"name"`
	// NotUninstalled says why no test uninstalls it.
	NotUninstalled string `json:"notUninstalled,omitempty"`
	// Title is what people call it.
	Title string `json:"title"`
	// Package is its main package, in a Go module of binaries/go.mod, or of the module that PinnedIn names.
	Package string `json:"package"`
	// PinnedIn is the folder below binaries whose go.mod pins it, if its versions don't fit those of the others. The
	// folder of a package that is below binaries itself need not be named.
	PinnedIn string `json:"pinnedIn,omitempty"`
	// Helpers are further programs, by the name that they are built as, and their main packages.
	Helpers map[string]string `json:"helpers,omitempty"`
	// Manifests are what is applied, in this order. They are rendered into BIN/operator/NAME/manifests.yaml.
	Manifests []Manifests `json:"manifests"`
	// LeaveOut are objects of these that aren't applied: webhooks without a certificate, for instance.
	LeaveOut []LeftOut `json:"leaveOut,omitempty"`
	// Run are the containers whose programs run.
	Run []Container `json:"run"`
	// Lease is the one that its leader holds, which says that it is at work.
	Lease *Name `json:"lease,omitempty"`
	// DefinitionsReady are CustomResourceDefinitions that have to be served before anything else is done.
	DefinitionsReady []string `json:"definitionsReady,omitempty"`
}

// Manifests lie in a Go module, or without one beside the operator's file: one of a folder for kustomize, a chart, or
// plain files.
type Manifests struct {
	Module    string   `json:"module,omitempty"`
	Kustomize string   `json:"kustomize,omitempty"`
	Helm      *Chart   `json:"helm,omitempty"`
	Files     []string `json:"files,omitempty"`
	// Namespace is that of namespaced objects that name none, as kubectl's -n.
	Namespace string `json:"namespace,omitempty"`
	// Substitute are the values of ${VARIABLES}. Variables that it doesn't name have their defaults. Without it (null)
	// nothing is substituted.
	Substitute map[string]string `json:"substitute,omitempty"`
}

// Chart is a helm chart, the release that is made of it, and what is set.
type Chart struct {
	Chart     string `json:"chart"`
	Release   string `json:"release"`
	Namespace string `json:"namespace"`
	// ValuesFile is the chart's file that its values.yaml is made of, where a module doesn't hold that.
	ValuesFile string         `json:"valuesFile,omitempty"`
	Values     map[string]any `json:"values,omitempty"`
}

// LeftOut are objects by kind and name, which is a glob.
type LeftOut struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

// Container is one container of a workload's pods, and the program that is run in its place.
type Container struct {
	// Workload is KIND/NAME.
	Workload  string `json:"workload"`
	Namespace string `json:"namespace"`
	Container string `json:"container"`
	// Binary is the program: one of the helpers, or without it the operator's own.
	Binary string `json:"binary,omitempty"`
	// Command is where the image has it, if the manifest doesn't say: /NAME. Its last part is what the program
	// calls itself in managedFields.
	Command     string            `json:"command,omitempty"`
	Arguments   Arguments         `json:"arguments,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
}

// Arguments change those of the manifest: pods share the network of this machine, for instance.
type Arguments struct {
	// Replace replaces all of them.
	Replace []string `json:"replace,omitempty"`
	// Drop are flags that are left out, with their values where these follow after a "=".
	Drop []string `json:"drop,omitempty"`
	Add  []string `json:"add,omitempty"`
}

// Name is that of an object in a namespace.
type Name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Operators returns all operators, by name.
func Operators() (map[string]Operator, error) {
	names, err := fs.Glob(operators, "operators/*.yaml")
	if err != nil {
		return nil, err
	}
	all := map[string]Operator{}
	for _, name := range names {
		data, err := operators.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var operator Operator
		if err := yaml.UnmarshalStrict(data, &operator); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if operator.Name != strings.TrimSuffix(path.Base(name), ".yaml") || operator.Package == "" || len(operator.Run) == 0 {
			return nil, fmt.Errorf("%s: an operator has the name of its file, a package, and containers that run", name)
		}
		all[operator.Name] = operator
	}
	return all, nil
}

// leavesOut reports whether an object of its manifests isn't applied.
func (o Operator) leavesOut(object *unstructured.Unstructured) bool {
	return slices.ContainsFunc(o.LeaveOut, func(left LeftOut) bool {
		matched, _ := path.Match(left.Name, object.GetName())
		return matched && left.Kind == object.GetKind()
	})
}
