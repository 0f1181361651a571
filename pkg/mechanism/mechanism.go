// Package mechanism knows the ways in which Kubernetes holds a deletion, one small file for each.
//
// A mechanism is asked about one hold of one Terminating object. It reads the least that decides,
// through the World, and answers with what the hold waits for, with causes, with what is going on,
// or with what could not be settled. It never decides the verdict: that is pkg/diagnosis's.
package mechanism

import (
	"context"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Mechanism explains one way in which an object is held. It answers false when the hold isn't its
// own.
type Mechanism func(ctx context.Context, world *World, object *Object, hold graph.Hold) (Answer, bool)

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
func Explain(ctx context.Context, world *World, object *Object, hold graph.Hold) Answer {
	for _, explain := range Table() {
		if answer, mine := explain(ctx, world, object, hold); mine {
			return world.withRefusals(ctx, object, hold, answer)
		}
	}
	return Answer{}
}

// Answer is what a mechanism found. An empty answer says that nothing holds the object any more.
type Answer struct {
	Waits    []Wait
	Causes   []graph.Cause
	Progress []Note // something acts, and nothing says that it can't finish
	Open     []Note // what was readable doesn't settle it
	Remarks  []Note // what comes later, or was left out on purpose: no part of the verdict

	// settled says that what may refuse the needed write need not be looked at: it was, as who sends
	// it, or nobody knows whether the write is due.
	settled bool
	// refused is what refuses the needed write, if the mechanism has asked for that itself.
	refused *refusals
}

// Note is one sentence about a hold, and what it rests on.
type Note struct {
	Message string
	// Awaited completes the sentence "X waits for …".
	Awaited  string
	Evidence []graph.Evidence
	Until    time.Time // when it should be over, if that is known
	// Holds says of a remark that what it tells of may hold the object in turn.
	Holds bool
	// Remedies are what may be done about it, or how to learn more, safest first.
	Remedies []graph.Remedy
	// Hold is the one that the note is an answer to; nil where it isn't about one.
	Hold *graph.Hold
}

// Wait is an edge of the blocking graph: the hold waits for the blocker.
type Wait struct {
	Blocker *Object
	// ForAnswer says that the hold waits for something that the blocker shall do, not for the
	// blocker to go. Such a blocker is never expanded.
	ForAnswer bool
	// Otherwise is the answer at the blocker when it isn't on its way out itself.
	Otherwise Answer
	// Relation is the edge beside the wait, if there is one: Owns or Contains.
	Relation graph.EdgeType

	// personal says of a refused write that it is refused because of who sends it.
	personal bool
}

func (a *Answer) add(b Answer) {
	a.Waits = append(a.Waits, b.Waits...)
	a.Causes = append(a.Causes, b.Causes...)
	a.Progress = append(a.Progress, b.Progress...)
	a.Open = append(a.Open, b.Open...)
	a.Remarks = append(a.Remarks, b.Remarks...)
}

func progress(note Note) Answer { return Answer{Progress: []Note{note}} }

func open(note Note) Answer { return Answer{Open: []Note{note}} }

func cause(cause graph.Cause) Answer { return Answer{Causes: []graph.Cause{cause}} }
