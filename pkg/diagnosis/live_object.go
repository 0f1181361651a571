package diagnosis

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// life is how it stands with a target that was not deleted.
type life struct {
	found    *expansion
	fate     mechanism.Fate
	refusing []finding.Ref     // what refuses its deletion
	troubles []finding.Finding // what is wrong already, and would keep it from going
	with     *finding.Finding  // sums up how it stands with what the target goes with
}

// explain finds out what becomes of an object that was not deleted: its owners, or its namespace, may decide that.
// Where it goes with one of them, that one is diagnosed too, from what has been read already.
func (l *life) explain(ctx context.Context, object *session.Object) {
	l.found.add(object)
	l.fate = mechanism.FateOf(ctx, l.found.tools, object)
	l.found.remark(l.fate.Notes...)
	if l.fate.Awaits == nil {
		l.refusedDeletion(ctx, object, nil)
		return
	}
	other := newRun(l.found.tools)
	other.found.explainDeletion(ctx, l.fate.Awaits)
	_, summary := other.judge(ctx, l.fate.Awaits)
	l.with = &summary
	l.join(other.found, object)
	l.addAwaited(other.groups)
	var named []finding.Ref
	for _, joined := range other.groups.all {
		named = append(named, joined.causes[0].Object)
	}
	l.refusedDeletion(ctx, object, named)
}

// foretell says what is deleted with an object because of its kind, and what wasn't looked at, and that preview does
// that: what depends on it or is in it, and who removes the finalizers that the catalogue does not know. Either costs
// more than everything else that is asked about an object that was not deleted.
func (r *run) foretell(ctx context.Context, object *session.Object) {
	if object.Undeletable() {
		return
	}
	r.losses.takes = r.tools.Losses.Deleting(ctx, object)
	unseen := finding.UnseenDetails{Inside: container(object) && !object.Is("", "Node")} // nothing is in a node
	for _, hold := range object.Holds() {
		_, known := r.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
		if !known && hold.Type == finding.Finalizer && hold.Name != session.CleanupFinalizer {
			unseen.Names = append(unseen.Names, hold.Name)
		}
	}
	look := finding.Remedy{
		Step: "LetPreviewLook", Command: r.tools.Session.Kubectl.Preview(object), Risk: finding.NoRisk,
	}
	r.found.remark(finding.Finding{
		Situation: "NotPreviewed", Object: object.Ref, Details: unseen, Remedies: []finding.Remedy{look},
	})
}

func (l *life) join(other *expansion, object *session.Object) {
	numbers := make([]int, len(other.graph.Nodes()))
	for i, node := range other.graph.Nodes() {
		numbers[i] = l.found.graph.Add(node.Ref)
		if numbers[i] != target {
			l.found.graph.Describe(numbers[i], node.Terminating, node.Holds)
		}
	}
	if l.fate.Follows {
		l.found.graph.Link(graph.Edge{From: target, To: numbers[target], Type: finding.WaitsFor})
	}
	for _, owner := range object.Meta.OwnerReferences {
		if string(owner.UID) == l.fate.Awaits.Ref.UID {
			l.found.graph.Link(graph.Edge{From: numbers[target], To: target, Type: finding.Owns})
		}
	}
	for _, edge := range other.graph.Edges() {
		edge.From, edge.To = numbers[edge.From], numbers[edge.To]
		l.found.graph.Link(edge)
	}
}

func (l *life) addAwaited(other *grouping) {
	awaited := l.fate.Awaits
	var told []finding.Finding
	for _, joined := range other.all {
		cause := joined.causes[0]
		told = append(told, finding.Finding{
			Situation: "CauseOfAwaited", Key: finding.KeyOf("CauseOfAwaited", cause.Identity()),
			Evidence: cause.Evidence,
			Details: finding.AwaitedCauseDetails{
				Object: awaited.Ref, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details,
				Cause: cause, Told: names(*l.with, cause, len(joined.causes)),
			},
		})
	}
	if len(told) == 0 {
		told = []finding.Finding{{Situation: "AnsweredElsewhere", Details: finding.HeldDetails{Object: awaited.Ref}}}
	}
	told[len(told)-1].Remedies = []finding.Remedy{{
		Step: "SeeStepsElsewhere", Details: finding.StepDetails{Object: &awaited.Ref},
		Command: l.found.tools.Session.Kubectl.Why(awaited), Risk: finding.NoRisk,
	}}
	l.found.remark(told...)
}

// refusedDeletion says what refuses the deletion of an object that was not deleted, whoever requests it: it may have
// been requested already, and refused (docs/deletion.md#not-stuck-at-all). What only may refuse it is left unsaid.
// About the causes that were named already, no more is said.
func (l *life) refusedDeletion(ctx context.Context, object *session.Object, named []finding.Ref) {
	if object.Undeletable() {
		return
	}
	for _, wait := range l.found.tools.Refusals.Refused(ctx, refusal.Deletion(object, "")).Answer.Waits {
		for _, cause := range wait.Otherwise.Causes {
			told := slices.Contains(l.refusing, cause.Object)
			if !told {
				l.refusing = append(l.refusing, cause.Object)
			}
			if slices.Contains(named, cause.Object) {
				continue
			}
			if !told || l.found.tools.Refusals.Prober == nil { // the answer to a dry run is what was found by reading
				l.found.remark(cause)
			}
		}
	}
}

func (l *life) summary(object *session.Object) finding.Finding {
	details := finding.SummaryDetails{
		Undeletable: object.Undeletable(), Held: l.wouldHold(object), Sentences: slices.Clone(l.fate.Says),
	}
	if len(l.refusing) > 0 {
		details.Held = nil // a request that is refused leads to no deletion
		details.Sentences = append(details.Sentences, finding.Finding{
			Situation: "DeletionRefused", Object: object.Ref, Details: finding.NamesDetails{Objects: l.refusing},
		})
	}
	if l.with != nil {
		details.Sentences = append(details.Sentences, *l.with)
	}
	details.Sentences = append(details.Sentences, l.troubles...)
	return finding.Finding{Situation: "NotDeleted", Object: object.Ref, Details: details}
}

// wouldHold is what would hold an object, if it were deleted; nil for nothing.
func (l *life) wouldHold(object *session.Object) *finding.Phrase {
	var holds []finding.Phrase
	for _, hold := range object.Holds() {
		if !ownership.IsPolicy(hold.Name) { // which the request sets anew
			holds = append(holds, l.describeHold(object, hold))
		}
	}
	if len(holds) == 0 {
		return nil
	}
	return &finding.Phrase{Situation: "WouldHold", Details: finding.HoldsDetails{Holds: holds}}
}

// briefly is the longest release condition that a summary tells; `explain` tells all.
const briefly = 80

func (l *life) describeHold(object *session.Object, hold finding.Hold) finding.Phrase {
	switch {
	case hold.Type == finding.GracePeriod:
		return finding.Phrase{Situation: "GracePeriodWouldHold"}
	case hold.Type == finding.SpecFinalizer && hold.Name == string(corev1.FinalizerKubernetes):
		return finding.Phrase{Situation: "ContentWouldHold"}
	case hold.Name == session.CleanupFinalizer:
		return finding.Phrase{Situation: "InstancesWouldHold"}
	}
	details := finding.HoldDetails{Name: hold.Name}
	known, found := l.found.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	if !found {
		return finding.Phrase{Situation: "UnknownFinalizerWouldHold", Details: details}
	}
	details.RemovedBy, details.Doubtful = known.RemovedBy, known.Verified.Doubt() != ""
	if len(known.WaitsFor) <= briefly {
		details.WaitsFor = known.WaitsFor
	}
	return finding.Phrase{Situation: "KnownFinalizerWouldHold", Details: details}
}
