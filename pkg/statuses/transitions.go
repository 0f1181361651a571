package statuses

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Transition is a condition of a status, and since when it is as it is.
type Transition struct {
	Type, Status, Reason, Message string
	At                            time.Time
}

// Transitions returns the conditions of an object that tell when they last changed, the first first.
func Transitions(object *unstructured.Unstructured) (transitions []Transition) {
	status, _, _ := unstructured.NestedMap(object.Object, "status")
	for _, condition := range conditionsOf(status) {
		at, err := time.Parse(time.RFC3339, text(condition, "lastTransitionTime"))
		if err == nil && text(condition, "type") != "" {
			transitions = append(transitions, Transition{
				Type: text(condition, "type"), Status: text(condition, "status"), Reason: text(condition, "reason"),
				Message: text(condition, "message"), At: at,
			})
		}
	}
	slices.SortStableFunc(transitions, func(a, b Transition) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Type, b.Type))
	})
	return transitions
}
