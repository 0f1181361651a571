// Package mechanism knows the ways in which Kubernetes holds a deletion, one small file for each.
//
// A mechanism is asked about one hold of one Terminating object. It reads the least that decides,
// through the World, and answers with what the hold waits for, with causes, with what is going on,
// or with what could not be settled. It never decides the verdict: that is pkg/diagnosis's.
package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Mechanism explains one way in which an object is held. It answers false when the hold isn't its
// own.
type Mechanism func(ctx context.Context, world *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool)

// Table returns the mechanisms in the order in which they are asked: the first that explains a hold
// answers for it, and the last explains every hold.
func Table() []Mechanism {
	return []Mechanism{
		gracePeriod,
		namespaceContent,
		foregroundDeletion,
		orphanDeletion,
		claimProtection,
		volumeProtection,
		definitionCleanup,
		unreadableKind,
		volumeReclaim,
		volumeDetachment,
		attributesClassProtection,
		jobTracking,
		resourceClaimProtection,
		serviceRangeProtection,
		podGroupProtection,
		loadBalancerCleanup,
		declaredWait,
		knownFinalizer,
		unidentifiedFinalizer,
	}
}

// Explain asks the mechanisms about one hold of a Terminating object.
func Explain(ctx context.Context, tools *Tools, object *session.Object, hold finding.Hold) session.Answer {
	for _, explain := range Table() {
		if answer, mine := explain(ctx, tools, object, hold); mine {
			return tools.Refusals.WithRefusals(ctx, object, hold, answer)
		}
	}
	return session.Answer{}
}
