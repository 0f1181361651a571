package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// operator is the part of an operator's data that its build needs; package operator has the whole of it.
type operator struct {
	Name      string            `json:"name"`
	Package   string            `json:"package"`
	PinnedIn  string            `json:"pinnedIn"`
	Helpers   map[string]string `json:"helpers"`
	Manifests []source          `json:"manifests"`
	LeaveOut  []leftOut         `json:"leaveOut"`
	// folder is that of the data file.
	folder string
	// data is the file as it was read.
	data []byte
}

// source is a part of the manifests: in a Go module, or without Module in the folder of the data file.
type source struct {
	Module    string   `json:"module"`
	Kustomize string   `json:"kustomize"`
	Helm      *chart   `json:"helm"`
	Files     []string `json:"files"`
	Namespace string   `json:"namespace"`
	// Substitute are the values of ${VARIABLES}. Variables that it doesn't name have their defaults. Without it (null)
	// nothing is substituted.
	Substitute map[string]string `json:"substitute"`
}

type chart struct {
	Chart      string         `json:"chart"`
	Release    string         `json:"release"`
	Namespace  string         `json:"namespace"`
	ValuesFile string         `json:"valuesFile"`
	Values     map[string]any `json:"values"`
}

// leftOut are objects by kind and name, which is a glob.
type leftOut struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (l leftOut) matches(kind, name string) bool {
	matched, _ := path.Match(l.Name, name)
	return matched && l.Kind == kind
}

// pinnedIn is the folder whose go.mod pins the operator: the one that its data names, or that of its program, if it has
// one since it needs other versions than the rest, or else this module's.
func (o operator) pinnedIn() string {
	if o.PinnedIn != "" {
		return o.PinnedIn
	}
	if folder, own := strings.CutPrefix(o.Package, ownModule); own {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
	}
	return "."
}

// load reads the data of the operator of this name.
func load(folder, name string) (operator, error) {
	data, err := os.ReadFile(filepath.Join(folder, name+".yaml"))
	if err != nil {
		return operator{}, err
	}
	one := operator{folder: folder, data: data}
	if err := yaml.Unmarshal(data, &one); err != nil {
		return operator{}, fmt.Errorf("%s: %w", name, err)
	}
	if one.Name != name || one.Package == "" || len(one.Manifests) == 0 {
		return operator{}, fmt.Errorf("%s: an operator has the name of its file, a package and manifests", name)
	}
	return one, nil
}
