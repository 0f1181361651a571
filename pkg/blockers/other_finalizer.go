package blockers

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// awaitsFinalizer answers for an object whose controller runs and says that it waits for another finalizer of the same
// object: that one is explained by itself, and this one comes later. If something waits for this one in turn, they may
// wait in a circle, and nothing comes later.
func awaitsFinalizer(
	ctx context.Context, reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer,
) (answer session.Answer, found bool) {
	controller, words, evidence := awaits(said)
	if controller == nil {
		return session.Answer{}, false
	}
	if whole, err := reads.Whole(ctx, object); err != nil || whole == nil || isAwaited(whole, hold) {
		return session.Answer{}, false // what failed is noted
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

// isAwaited reports whether an object's status says that something waits for one of its finalizers.
func isAwaited(object *unstructured.Unstructured, hold finding.Hold) bool {
	return slices.ContainsFunc(statuses.Statements(object), func(said statuses.Statement) bool {
		return statuses.AwaitsFinalizer(said.Words, hold.Name)
	})
}
