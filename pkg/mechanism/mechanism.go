// Package mechanism knows the ways in which Kubernetes holds a deletion, one small file for each.
//
// A mechanism is asked about one hold of one Terminating object. It reads the least that decides,
// through the Tools, and answers with what the hold waits for, with causes, with what is going on,
// or with what could not be settled. It never decides the verdict: that is pkg/diagnosis's.
package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Mechanism explains one way in which an object is held. It answers false when the hold isn't its own.
type Mechanism func(ctx context.Context, tools *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool)

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

// Explain asks the mechanisms about one hold of a Terminating object. Where the write that would end it is due, what
// refuses that write is part of the answer.
func Explain(ctx context.Context, tools *Tools, object *session.Object, hold finding.Hold) session.Answer {
	for _, explain := range Table() {
		answer, mine := explain(ctx, tools, object, hold)
		if !mine {
			continue
		}
		due := hold.Type != finding.GracePeriod && len(answer.Waits) == 0 && answer.Removal == session.RemovalDue
		if !due {
			return answer
		}
		write := refusal.RemovalOf(object, hold)
		refused := tools.Refusals.Refused(ctx, write)
		if refused.Found() {
			return refusedRemoval(object, hold, answer, refused)
		}
		return tools.unrefusedRemoval(write, answer, refused)
	}
	return session.Answer{}
}

// refusedRemoval is the answer for a hold of which the removal is refused, whoever tries: as long as it is, nothing
// goes on, and whose the entry is comes later.
func refusedRemoval(
	object *session.Object, hold finding.Hold, said session.Answer, refused refusal.Refusals,
) session.Answer {
	answer := session.Answer{Remarks: said.Remarks}
	for _, cause := range said.Causes {
		if cause.Reason != finding.ControllerUnknown {
			answer.Causes = append(answer.Causes, cause)
		}
	}
	if len(answer.Causes) < len(said.Causes) {
		answer.Remarks = append(answer.Remarks, finding.Finding{
			Situation: "SetterStillDue", Details: finding.HeldDetails{Object: object.Ref, Hold: hold.Name}, Holds: true,
			Key: finding.KeyOf("SetterStillDue", hold.Name),
		})
	}
	answer.Add(refused.Answer)
	return answer
}

// unrefusedRemoval is the answer for a hold whose removal nothing is known to refuse. What may refuse it, as far as can
// be read, is named where nobody else answers for the hold, and leaves open whether anything goes on.
func (t *Tools) unrefusedRemoval(write refusal.Write, said session.Answer, refused refusal.Refusals) session.Answer {
	answer := session.Answer{Open: said.Open, Remarks: said.Remarks}
	for _, cause := range said.Causes {
		if cause.Reason == finding.ControllerUnknown {
			suspects, ask := t.Refusals.Suspects(write, refused)
			cause.Evidence, cause.Remedies = slices.Concat(cause.Evidence, suspects), slices.Concat(ask, cause.Remedies)
		}
		answer.Causes = append(answer.Causes, cause)
	}
	if len(refused.Unsure) == 0 {
		answer.Progress = said.Progress
		return answer
	}
	for _, note := range said.Progress {
		answer.Open = append(answer.Open, refused.Doubt(note))
	}
	return answer
}
