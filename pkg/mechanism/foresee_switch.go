package mechanism

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// Switched is the cause that will hold a live object because a switch is on for one of its finalizers. NeedOfSwitches
// says whether its controller has to be known before.
func Switched(ctx context.Context, t *Tools, object *Object, finalizer string) (cause Finding, found bool) {
	held := Held{Object: object, Hold: finding.Hold{Type: finding.Finalizer, Name: finalizer}}
	bearer, on := switchOn(ctx, &switchSearch{Tools: t}, held, Answer{})
	if on == nil || on.Vague { // what may mean something else is no trouble of a live object
		return cause, false
	}
	return switchCause(t, held, bearer, *on), true
}

// SwitchNeed is how much of an object has to be read to see the switches for a finalizer.
type SwitchNeed int

// The needs, each more than those before it.
const (
	NoSwitch         SwitchNeed = iota
	SwitchInMetadata            // annotations and labels
	SwitchInFields
	SwitchByName // which counts only where the controller is there, and everything about it was read
)

// NeedOfSwitches is how much of objects of a kind has to be read for a finalizer.
func NeedOfSwitches(t *Tools, resource cluster.Resource, finalizer string) SwitchNeed {
	known, isKnown := t.Plugins.Find(finalizer, resource.GroupKind().String())
	switch {
	case !isKnown && cluster.ServedByKubernetes(resource.Group), isKnown && len(known.Switches) == 0:
		return NoSwitch
	case !isKnown:
		return SwitchByName
	}
	for _, one := range known.Switches {
		mine := one.Named == "" && (one.Of == "" || one.Of == resource.GroupKind().String())
		if mine && !switches.InMetadata(one) || one.Named != "" && !switches.Here(one) {
			return SwitchInFields
		}
	}
	return SwitchInMetadata
}

// KindsWithSwitches are the kinds that have to be read whole for a finalizer of a live object, because they may have
// switches: its own, its owners' and the ones that the catalogue names.
func KindsWithSwitches(
	t *Tools, resource cluster.Resource, finalizer string, owners []schema.GroupKind,
) (kinds []schema.GroupKind) {
	need := NeedOfSwitches(t, resource, finalizer)
	if need > SwitchInMetadata {
		kinds = append(kinds, resource.GroupKind())
	}
	if need == SwitchByName {
		return append(kinds, slices.DeleteFunc(slices.Clone(owners), func(owner schema.GroupKind) bool {
			return owner.Group != resource.Group
		})...)
	}
	known, _ := t.Plugins.Find(finalizer, resource.GroupKind().String())
	for _, one := range known.Switches {
		if one.Of != "" && !switches.InMetadata(one) {
			kinds = append(kinds, schema.ParseGroupKind(one.Of))
		}
	}
	return kinds
}
