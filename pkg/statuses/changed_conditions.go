package statuses

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// restamped is how long after it took the time for a condition a controller may write the status with it.
const restamped = 10 * time.Second

// Changes returns the conditions of a Terminating object that changed since its deletion, the last first. What is
// trouble, or says that it is paused, is left out: the work doesn't continue with that. Times are in whole seconds: one
// in the second of the deletion counts as later. Only what has Settled is sure to have changed: others may have been
// stamped anew with the last write.
func Changes(object *unstructured.Unstructured) (changes []Report) {
	status, found, _ := unstructured.NestedMap(object.Object, "status")
	if !found || object.GetDeletionTimestamp() == nil {
		return nil
	}
	context := contextOf(object, status)
	for _, one := range conditionsOf(status) {
		words := one.words()
		stops := polarityOf(one.kind) == halted && holds(one.status) || troubled(one.kind, one.status, words) ||
			HoldsBack(words)
		change := context.ofCondition(one)
		if one.kind != "" && !stops && !change.At.Before(context.deleted) {
			changes = append(changes, change)
		}
	}
	slices.SortStableFunc(changes, func(a, b Report) int { return b.At.Compare(a.At) })
	return changes
}

// SawEarlier reports whether a status says that whoever wrote it saw an earlier generation than the object's.
func SawEarlier(object *unstructured.Unstructured) bool {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	seen := number(status, "observedGeneration")
	for _, one := range conditionsOf(status) {
		seen = max(seen, one.generation)
	}
	return seen > 0 && seen < number(object.Object, "metadata", "generation")
}

// Stamped returns the types of conditions that have another time of change at a second look, and are the same: their
// writer stamps them with each write, so that this time shows no change.
func Stamped(before, after *unstructured.Unstructured) (types []string) {
	was, _, _ := unstructured.NestedMap(before.Object, "status")
	is, _, _ := unstructured.NestedMap(after.Object, "status")
	for _, now := range conditionsOf(is) {
		for _, old := range conditionsOf(was) {
			same := now.kind == old.kind && now.status == old.status && now.reason == old.reason
			if same && now.changed != old.changed {
				types = append(types, now.kind)
			}
		}
	}
	return types
}
