package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Kubectl writes commands to paste as they are, with the flags without which they would reach another cluster or user.
type Kubectl struct {
	// Program is how this program is called.
	Program finding.Program
	Flags   []string
	// Files are what --snapshot names: questions are asked of them again, and everything else is for the cluster.
	Files []string
	// Member is the cluster that is meant, if the files hold several.
	Member string
}

// Command returns one kubectl command about an object: `kubectl --context C -n NS VERB TYPE/NAME …`.
func (k Kubectl) Command(object *Object, verb string, flags ...string) finding.Command {
	return append(append(k.Prefix(object.Ref), verb, pathOf(object)), flags...)
}

// CommandFor is Command for an object if only its reference is known.
func (k Kubectl) CommandFor(ref finding.Ref, verb string, flags ...string) finding.Command {
	return append(append(k.Prefix(ref), verb, PathFor(ref)), flags...)
}

// PathFor is an object whose resource is not known, as kubectl takes it: KIND.GROUP/NAME.
func PathFor(ref finding.Ref) string {
	kind := strings.ToLower(ref.Kind)
	if group := ref.Group(); group != "" {
		kind += "." + group
	}
	return kind + "/" + ref.Name
}

// Why returns the command that asks this program about an object. kubectl takes no flags before the name of a plugin.
func (k Kubectl) Why(object *Object, flags ...string) finding.Command {
	command := append(k.Program.Command("why", pathOf(object)), k.source(flags)...)
	return append(inNamespace(command, object.Ref), flags...)
}

// WhyRef is Why for an object if only its reference is known.
func (k Kubectl) WhyRef(ref finding.Ref) finding.Command {
	return inNamespace(append(k.Program.Command("why", PathFor(ref)), k.source(nil)...), ref)
}

// Preview returns the command that asks this program what deleting an object would do.
func (k Kubectl) Preview(object *Object) finding.Command {
	command := append(k.Program.Command("preview", pathOf(object)), k.source(nil)...)
	return inNamespace(command, object.Ref)
}

// Rescue returns the command that asks this program what can be kept of an object that was deleted by mistake: of the
// cluster, whatever the answer was read from.
func (k Kubectl) Rescue(object *Object, flags ...string) finding.Command {
	command := append(k.Program.Command("rescue", pathOf(object)), k.Flags...)
	return append(inNamespace(command, object.Ref), flags...)
}

// Explain returns the command that asks this program what is known of a finalizer, on objects of a kind (KIND.GROUP) or
// on any: of the cluster, which serves the kind.
func (k Kubectl) Explain(finalizer, kind string) finding.Command {
	command := k.Program.Command("explain", finalizer)
	if kind != "" {
		command = append(command, "--kind", kind)
	}
	return append(command, k.Flags...)
}

// List returns the command that asks this program about everything Terminating in a namespace, or in all.
func (k Kubectl) List(namespace string) finding.Command {
	return inArea(append(k.Program.Command("list"), k.source(nil)...), namespace)
}

// Check returns the command that asks this program what will get stuck in a namespace, or in all.
func (k Kubectl) Check(namespace string) finding.Command {
	return inArea(append(k.Program.Command("check"), k.source(nil)...), namespace)
}

func inArea(command finding.Command, namespace string) finding.Command {
	if namespace == "" {
		return append(command, "-A")
	}
	return append(command, "-n", namespace)
}

// source returns the flags that lead a question to where this one was asked: a probe is one for the cluster.
func (k Kubectl) source(flags []string) []string {
	if len(k.Files) == 0 || slices.Contains(flags, "--probe") {
		return k.Flags
	}
	var words []string
	for _, file := range k.Files {
		words = append(words, "--snapshot", file)
	}
	if k.Member != "" {
		words = append(words, "--context", k.Member)
	}
	return words
}

// Remove returns the command by which this program removes finalizers by force, after asking for consent.
func (k Kubectl) Remove(object *Object, finalizers []string, flags ...string) finding.Command {
	return k.RemoveAll([]*Object{object}, finalizers, flags...)
}

// RemoveAll is Remove for objects that one command may name.
func (k Kubectl) RemoveAll(objects []*Object, finalizers []string, flags ...string) finding.Command {
	command := slices.Concat(k.Program.Command("remove"), Paths(objects), k.Flags)
	command = inNamespace(command, objects[0].Ref)
	for _, finalizer := range finalizers {
		command = append(command, "--finalizer", finalizer)
	}
	return append(append(command, "--force"), flags...)
}

// OverridingCause lets the removals by force among some remedies override the cause that they are for. That a
// controller is missing needs no override.
func OverridingCause(remedies []finding.Remedy, reason finding.Reason) []finding.Remedy {
	if reason == finding.ControllerMissing {
		return remedies
	}
	return Overriding(remedies, string(reason))
}

// Overriding lets the removals by force among some remedies override an objection by its code.
func Overriding(remedies []finding.Remedy, code string) []finding.Remedy {
	changed := slices.Clone(remedies)
	for i, remedy := range changed {
		if remedy.Forces() {
			changed[i].Command = slices.Concat(remedy.Command, finding.Command{"--override", code})
		}
	}
	return changed
}

// Prefix begins a kubectl command about an object: its flags, the namespace, and further words.
func (k Kubectl) Prefix(ref finding.Ref, more ...string) finding.Command {
	return append(inNamespace(append(finding.Command{"kubectl"}, k.Flags...), ref), more...)
}

func inNamespace(command finding.Command, ref finding.Ref) finding.Command {
	if ref.Namespace == "" {
		return command
	}
	return append(command, "-n", ref.Namespace)
}

func pathOf(object *Object) string { return object.Resource.QualifiedName() + "/" + object.Ref.Name }

// Operation is one step of a JSON patch.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// RemovalPatch is a JSON patch that removes every entry of some finalizers and nothing else. It fails if the object was
// replaced or its list has changed since it was read (docs/deletion.md#ways-to-remove-a-finalizer).
func RemovalPatch(object *Object, finalizers ...string) string {
	patch := []Operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, entry := range slices.Backward(object.Meta.Finalizers) { // from the end, so that indexes hold
		if slices.Contains(finalizers, entry) {
			path := fmt.Sprintf("/metadata/finalizers/%d", i)
			patch = append(patch, Operation{Op: "test", Path: path, Value: entry}, Operation{Op: "remove", Path: path})
		}
	}
	return EncodePatch(patch)
}

// DisownPatch is a JSON patch that removes an object's references to one owner only. It fails as RemovalPatch does.
func DisownPatch(object *Object, ownerUID string) string {
	patch := []Operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, owner := range slices.Backward(object.Meta.OwnerReferences) {
		if string(owner.UID) == ownerUID {
			path := fmt.Sprintf("/metadata/ownerReferences/%d", i)
			same := Operation{Op: "test", Path: path + "/uid", Value: ownerUID}
			patch = append(patch, same, Operation{Op: "remove", Path: path})
		}
	}
	return EncodePatch(patch)
}

// UnblockPatch is a JSON patch by which an object no longer blocks its owners. It fails as RemovalPatch does.
func UnblockPatch(object *Object) string {
	patch := []Operation{{Op: "test", Path: "/metadata/uid", Value: object.Ref.UID}}
	for i, owner := range object.Meta.OwnerReferences {
		path := fmt.Sprintf("/metadata/ownerReferences/%d", i)
		patch = append(patch, Operation{Op: "test", Path: path + "/uid", Value: string(owner.UID)},
			Operation{Op: "add", Path: path + "/blockOwnerDeletion", Value: false})
	}
	return EncodePatch(patch)
}

// EncodePatch writes a JSON patch as one line.
func EncodePatch(patch []Operation) string {
	var encoded strings.Builder
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(patch); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSpace(encoded.String())
}
