package statuses

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// DeletionPhase returns the one word for its state in a Terminating object's status that speaks of the deletion, and
// was written with the deletion in view: phase: Deleting. Some program has taken notice, and it tells no more than
// that: not that anything moves.
func DeletionPhase(object *unstructured.Unstructured) (phase Report, found bool) {
	status, has, _ := unstructured.NestedMap(object.Object, "status")
	if !has || object.GetDeletionTimestamp() == nil {
		return Report{}, false
	}
	context := contextOf(object, status)
	for _, field := range append(stateFields(), "status") {
		value := text(status, field)
		if IsStatement(value) || HoldsBack(value) || !SpeaksOfDeletion(value) ||
			slices.Contains([]Sense{Trouble, Fine}, JudgeAbout(value, context.names...)) {
			continue
		}
		own, by := context.of("f:" + field)
		phase = own.report("status."+field, value)
		if phase.By = by; phase.Seen {
			return phase, true
		}
	}
	return Report{}, false
}
