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
	for _, one := range conditionsOf(status) {
		if at, told := one.since(); told && one.kind != "" {
			transitions = append(transitions, Transition{
				Type: one.kind, Status: one.status, Reason: one.reason, Message: one.message, At: at,
			})
		}
	}
	slices.SortStableFunc(transitions, func(a, b Transition) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Type, b.Type))
	})
	return transitions
}
