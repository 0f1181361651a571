package blockers

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// awaitsFinalizer answers for an object whose controller runs and says that it waits for another finalizer of the same
// object: that one is explained by itself, and this one comes later.
func awaitsFinalizer(
	object *session.Object, hold finding.Hold, said session.Answer,
) (answer session.Answer, found bool) {
	controller, words, evidence := awaits(said)
	if controller == nil {
		return session.Answer{}, false
	}
	for _, other := range object.Holds() {
		if other.Type != finding.Finalizer || other.Name == hold.Name || !statuses.AwaitsFinalizer(words, other.Name) {
			continue
		}
		later := finding.Finding{
			Situation: "WaitsForFinalizer", Object: object.Ref, Finalizer: hold.Name, Evidence: evidence,
			Details: finding.ControllerDetails{Controller: controller, Words: words},
			Key:     finding.KeyOf("WaitsForFinalizer", hold.Name, object.Ref),
		}
		answer.Remarks, answer.Removal = append(said.Remarks, later), session.RemovalUnsure
		return answer, true
	}
	return session.Answer{}, false
}
