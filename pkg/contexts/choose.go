// Package contexts chooses contexts of a kubeconfig by name or pattern, and finds out which of them lead to one
// cluster. It asks no cluster.
//
// This package may change at any time.
package contexts

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// All chooses every context.
const All = "all"

// mostNamed is how many contexts an error names.
const mostNamed = 10

// Chosen is a cluster, and the context by which it is asked.
type Chosen struct {
	Name string
	// Also are the other contexts that were chosen and lead to the same cluster. It is not asked by them.
	Also []string
}

// Choose returns the clusters that names, patterns (prod-*) or All choose among the contexts of a kubeconfig, in the
// order in which they are named; the ones of a pattern are sorted. Contexts of one server are one cluster; it is asked
// by the current context if that was chosen, else by the first. read reads the file of a certificate authority. What
// matches no context is an error that says which there are.
func Choose(config api.Config, wanted []string, read func(file string) ([]byte, error)) ([]Chosen, error) {
	names, err := Matching(slices.Sorted(maps.Keys(config.Contexts)), wanted)
	if err != nil {
		return nil, err
	}
	return distinct(config, names, read), nil
}

// Matching returns the names that are wanted by name or pattern, each once. A name is taken as it is before it is taken
// for a pattern. The error is about what matches none of them.
func Matching(names, wanted []string) (chosen []string, err error) {
	if len(wanted) == 0 {
		return nil, errors.New("--contexts names no context")
	}
	for _, pattern := range wanted {
		found, err := matching(names, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			if !slices.Contains(chosen, name) {
				chosen = append(chosen, name)
			}
		}
	}
	return chosen, nil
}

func matching(names []string, pattern string) (found []string, err error) {
	switch {
	case pattern == "":
		return nil, errors.New("--contexts has an empty name")
	case slices.Contains(names, pattern):
		return []string{pattern}, nil
	case pattern == All:
		found = names
	default:
		found, err = globbed(names, pattern)
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no context of the kubeconfig matches %q%s", pattern, existing(names, pattern))
	}
	return found, err
}

// globbed returns the names that a pattern matches: * is any text, ? any letter, and [ab] one of some.
func globbed(names []string, pattern string) (found []string, err error) {
	const slash = "\x00" // path.Match lets no * match a slash, which is a letter like others in names of contexts
	flat := strings.ReplaceAll(pattern, "/", slash)
	if _, err := path.Match(flat, ""); err != nil {
		return nil, fmt.Errorf("--contexts %q is not a valid pattern: * is any text, ? any letter, [ab] one of some",
			pattern)
	}
	for _, name := range names {
		if matches, _ := path.Match(flat, strings.ReplaceAll(name, "/", slash)); matches {
			found = append(found, name)
		}
	}
	return found, nil
}

// existing completes an error with the names that were probably meant, or else with the ones that there are.
func existing(names []string, pattern string) string {
	if meant := spelling.Meant(strings.Trim(pattern, "*"), names); meant != "" {
		return meant
	}
	if len(names) == 0 {
		return ": it has no contexts"
	}
	few := names[:min(len(names), mostNamed)]
	text := ". It has " + strings.Join(few, ", ")
	if more := len(names) - len(few); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
