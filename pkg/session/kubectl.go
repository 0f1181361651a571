package session

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Kubectl writes commands that a person can paste as they are. It holds the flags without which
// they would reach another cluster, or reach it as somebody else.
type Kubectl struct {
	Flags []string
	// Files are what --snapshot names where the cluster is in files: questions are asked of them again.
	// Everything else is for the cluster.
	Files []string
}

// Command returns one kubectl command about an object: `kubectl --context C -n NS VERB TYPE/NAME …`.
func (k Kubectl) Command(object *Object, verb string, flags ...string) finding.Command {
	return append(append(k.Prefix(object.Ref), verb, object.Resource.QualifiedName()+"/"+object.Ref.Name), flags...)
}

// CommandFor is Command for an object of which only the reference is known.
func (k Kubectl) CommandFor(ref finding.Ref, verb string, flags ...string) finding.Command {
	kind := strings.ToLower(ref.Kind)
	if group := ref.Group(); group != "" {
		kind += "." + group
	}
	return append(append(k.Prefix(ref), verb, kind+"/"+ref.Name), flags...)
}

// Why returns the command that asks this program about an object. kubectl takes no flags before the
// name of a plugin.
func (k Kubectl) Why(object *Object, flags ...string) finding.Command {
	words := append([]string{"kubectl", "finalizers", "why", object.Resource.QualifiedName() + "/" + object.Ref.Name}, k.source(flags)...)
	if object.Ref.Namespace != "" {
		words = append(words, "-n", object.Ref.Namespace)
	}
	return append(words, flags...)
}

// Check returns the command by which this program looks for what will get stuck in an object's namespace, or in the
// cluster where it stands in none.
func (k Kubectl) Check(object *Object) finding.Command {
	words := append([]string{"kubectl", "finalizers", "check"}, k.source(nil)...)
	if object.Ref.Namespace == "" {
		return append(words, "-A")
	}
	return append(words, "-n", object.Ref.Namespace)
}

// source returns the flags that lead a question to where this one was asked: a probe is one for the
// cluster.
func (k Kubectl) source(flags []string) []string {
	if len(k.Files) == 0 || slices.Contains(flags, "--probe") {
		return k.Flags
	}
	var words []string
	for _, file := range k.Files {
		words = append(words, "--snapshot", file)
	}
	return words
}

// Remove returns the command by which this program removes finalizers from an object by force, after
// showing what that means and asking for consent.
func (k Kubectl) Remove(object *Object, finalizers []string, flags ...string) finding.Command {
	words := []string{"kubectl", "finalizers", "remove", object.Resource.QualifiedName() + "/" + object.Ref.Name}
	words = append(words, k.Flags...)
	if object.Ref.Namespace != "" {
		words = append(words, "-n", object.Ref.Namespace)
	}
	for _, finalizer := range finalizers {
		words = append(words, "--finalizer", finalizer)
	}
	return append(append(words, "--force"), flags...)
}

// Overriding lets removals by force among some remedies set aside the reason that speaks against them.
func Overriding(remedies []finding.Remedy, reason finding.Reason) []finding.Remedy {
	changed := slices.Clone(remedies)
	for i, remedy := range changed {
		if remedy.Forces() {
			changed[i].Command = slices.Concat(remedy.Command, finding.Command{"--override", string(reason)})
		}
	}
	return changed
}

// Prefix begins a kubectl command about an object: its flags, the namespace, and further words.
func (k Kubectl) Prefix(ref finding.Ref, more ...string) finding.Command {
	words := append(finding.Command{"kubectl"}, k.Flags...)
	if ref.Namespace != "" {
		words = append(words, "-n", ref.Namespace)
	}
	return append(words, more...)
}
