package rbac

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Level is how far rights go.
type Level struct {
	Write      bool // update or patch the resource itself
	Finalizers bool // update or patch RESOURCE/finalizers: a hint (docs/deletion.md#rights-to-remove-a-finalizer)
	Status     bool
	Watch      bool
	Read       bool
	Makes      bool // create or delete the resource
	Named      bool // the resource itself is named, not just its group
	// They say that patch is the only verb that allows one of these writes.
	patches, patchesFinalizers, patchesStatus bool
}

// Verb is the verb by which a level allows a write: patch where it grants no other.
func (l Level) Verb() string { return verbOf(l.patches) }

// FinalizersVerb is that of /finalizers; StatusVerb, of /status.
func (l Level) FinalizersVerb() string { return verbOf(l.patchesFinalizers) }

// StatusVerb is the verb by which a level allows to write the status.
func (l Level) StatusVerb() string { return verbOf(l.patchesStatus) }

func verbOf(patches bool) string {
	if patches {
		return "patch"
	}
	return "update"
}

func (l *Level) join(other Level) {
	l.patches = onlyPatches(l.Write, l.patches, other.Write, other.patches)
	l.patchesFinalizers = onlyPatches(l.Finalizers, l.patchesFinalizers, other.Finalizers, other.patchesFinalizers)
	l.patchesStatus = onlyPatches(l.Status, l.patchesStatus, other.Status, other.patchesStatus)
	l.Write, l.Finalizers, l.Status = l.Write || other.Write, l.Finalizers || other.Finalizers, l.Status || other.Status
	l.Watch, l.Read, l.Makes = l.Watch || other.Watch, l.Read || other.Read, l.Makes || other.Makes
	l.Named = l.Named || other.Named
}

// onlyPatches reports whether two rights to write, as far as they are there, allow no more than to patch.
func onlyPatches(one, onePatches, other, otherPatches bool) bool {
	return (one || other) && (!one || onePatches) && (!other || otherPatches)
}

// levelOf sums up rules about a resource: the ones that name its group, and those for all groups.
func levelOf(rules []rbacv1.PolicyRule, resource schema.GroupResource) (level, wild Level) {
	for _, rule := range rules {
		switch {
		case slices.Contains(rule.APIGroups, resource.Group):
			level.join(levelOfRule(rule, resource.Resource))
		case slices.Contains(rule.APIGroups, rbacv1.APIGroupAll):
			wild.join(levelOfRule(rule, resource.Resource))
		}
	}
	return level, wild
}

// levelOfRule takes a rule for certain objects for one for all: an operator of one object is no less a candidate.
func levelOfRule(rule rbacv1.PolicyRule, resource string) (level Level) {
	verb := func(names ...string) bool {
		return slices.ContainsFunc(rule.Verbs, func(verb string) bool {
			return verb == rbacv1.VerbAll || slices.Contains(names, verb)
		})
	}
	write, patches := verb("update", "patch"), !verb("update") && verb("patch")
	named := slices.Contains(rule.Resources, resource)
	if named || slices.Contains(rule.Resources, rbacv1.ResourceAll) {
		level.Write, level.Watch, level.Read = write, verb("watch"), verb("get", "list", "watch")
		level.patches = patches
		level.Makes = verb("create", "delete", "deletecollection")
		level.Named = named && (level.Write || level.Read)
	}
	for _, text := range rule.Resources {
		switch text {
		case resource + "/finalizers":
			level.Finalizers, level.patchesFinalizers = level.Finalizers || write, patches
		case resource + "/status":
			level.Status, level.patchesStatus = level.Status || write, patches
		}
	}
	return level
}
