package diagnosis

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// explainLife finds out what becomes of an object that was not deleted: its owners, or its namespace, may decide that.
// Where it goes with one of them, that one is diagnosed too, from what has been read already.
func (r *run) explainLife(ctx context.Context, object *session.Object) {
	r.add(object)
	r.fate = mechanism.FateOf(ctx, r.tools, object)
	r.remark(r.fate.Notes...)
	if r.fate.Awaits == nil {
		r.refusedDeletion(ctx, object, nil)
		return
	}
	other := newRun(r.tools)
	other.explainDeletion(ctx, r.fate.Awaits)
	_, summary := other.judge(ctx, r.fate.Awaits)
	r.with = &summary
	r.join(other, object)
	r.addAwaited(other)
	var named []finding.Ref
	for _, joined := range other.groups {
		named = append(named, joined.causes[0].Object)
	}
	r.refusedDeletion(ctx, object, named)
}

// foretell says what is deleted with an object because of its kind, and what wasn't looked at, and that preview does
// that: what depends on it or is in it, and who removes the finalizers that the catalogue does not know. Either costs
// more than everything else that is asked about an object that was not deleted.
func (r *run) foretell(ctx context.Context, object *session.Object) {
	if object.Undeletable() {
		return
	}
	r.takes = r.tools.Losses.Deleting(ctx, object)
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
	r.remark(finding.Finding{
		Situation: "NotPreviewed", Object: object.Ref, Details: unseen, Remedies: []finding.Remedy{look},
	})
}

func (r *run) join(other *run, object *session.Object) {
	numbers := make([]int, len(other.graph.Nodes()))
	for i, node := range other.graph.Nodes() {
		numbers[i] = r.graph.Add(node.Ref)
		if numbers[i] != target {
			r.graph.Describe(numbers[i], node.Terminating, node.Holds)
		}
	}
	if r.fate.Follows {
		r.graph.Link(graph.Edge{From: target, To: numbers[target], Type: finding.WaitsFor})
	}
	for _, owner := range object.Meta.OwnerReferences {
		if string(owner.UID) == r.fate.Awaits.Ref.UID {
			r.graph.Link(graph.Edge{From: numbers[target], To: target, Type: finding.Owns})
		}
	}
	for _, edge := range other.graph.Edges() {
		edge.From, edge.To = numbers[edge.From], numbers[edge.To]
		r.graph.Link(edge)
	}
}

func (r *run) addAwaited(other *run) {
	awaited := r.fate.Awaits
	var told []finding.Finding
	for _, joined := range other.groups {
		cause := joined.causes[0]
		told = append(told, finding.Finding{
			Situation: "CauseOfAwaited", Key: finding.KeyOf("CauseOfAwaited", cause.Identity()),
			Evidence: cause.Evidence,
			Details: finding.AwaitedCauseDetails{
				Object: awaited.Ref, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details,
				Cause: cause, Told: names(*r.with, cause, len(joined.causes)),
			},
		})
	}
	if len(told) == 0 {
		told = []finding.Finding{{Situation: "AnsweredElsewhere", Details: finding.HeldDetails{Object: awaited.Ref}}}
	}
	told[len(told)-1].Remedies = []finding.Remedy{{
		Step: "SeeStepsElsewhere", Details: finding.StepDetails{Object: &awaited.Ref},
		Command: r.tools.Session.Kubectl.Why(awaited), Risk: finding.NoRisk,
	}}
	r.remark(told...)
}

// refusedDeletion says what refuses the deletion of an object that was not deleted, whoever requests it: it may have
// been requested already, and refused (docs/deletion.md#not-stuck-at-all). What only may refuse it is left unsaid.
// About the causes that were named already, no more is said.
func (r *run) refusedDeletion(ctx context.Context, object *session.Object, named []finding.Ref) {
	if object.Undeletable() {
		return
	}
	for _, wait := range r.tools.Refusals.Refused(ctx, refusal.Deletion(object, "")).Answer.Waits {
		for _, cause := range wait.Otherwise.Causes {
			told := slices.Contains(r.refusing, cause.Object)
			if !told {
				r.refusing = append(r.refusing, cause.Object)
			}
			if slices.Contains(named, cause.Object) {
				continue
			}
			if !told || r.tools.Refusals.Prober == nil { // the answer to a dry run is what was found by reading
				r.remark(cause)
			}
		}
	}
}

func (r *run) liveSummary(object *session.Object) finding.Finding {
	details := finding.SummaryDetails{
		Undeletable: object.Undeletable(), Held: r.wouldHold(object), Sentences: slices.Clone(r.fate.Says),
	}
	if len(r.refusing) > 0 {
		details.Held = nil // a request that is refused leads to no deletion
		details.Sentences = append(details.Sentences, finding.Finding{
			Situation: "DeletionRefused", Object: object.Ref, Details: finding.NamesDetails{Objects: r.refusing},
		})
	}
	if r.with != nil {
		details.Sentences = append(details.Sentences, *r.with)
	}
	details.Sentences = append(details.Sentences, r.troubles...)
	return finding.Finding{Situation: "NotDeleted", Object: object.Ref, Details: details}
}

// wouldHold is what would hold an object, if it were deleted; nil for nothing.
func (r *run) wouldHold(object *session.Object) *finding.Phrase {
	var holds []finding.Phrase
	for _, hold := range object.Holds() {
		holds = append(holds, r.describeHold(object, hold))
	}
	if len(holds) == 0 {
		return nil
	}
	return &finding.Phrase{Situation: "WouldHold", Details: finding.HoldsDetails{Holds: holds}}
}

// briefly is the longest release condition that a summary tells; `explain` tells all.
const briefly = 80

func (r *run) describeHold(object *session.Object, hold finding.Hold) finding.Phrase {
	switch {
	case hold.Type == finding.GracePeriod:
		return finding.Phrase{Situation: "GracePeriodWouldHold"}
	case hold.Type == finding.SpecFinalizer && hold.Name == string(corev1.FinalizerKubernetes):
		return finding.Phrase{Situation: "ContentWouldHold"}
	case hold.Name == session.CleanupFinalizer:
		return finding.Phrase{Situation: "InstancesWouldHold"}
	}
	details := finding.HoldDetails{Name: hold.Name}
	known, found := r.tools.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	if !found {
		return finding.Phrase{Situation: "UnknownFinalizerWouldHold", Details: details}
	}
	details.RemovedBy, details.Doubtful = known.RemovedBy, known.Verified.Doubt() != ""
	if len(known.WaitsFor) <= briefly {
		details.WaitsFor = known.WaitsFor
	}
	return finding.Phrase{Situation: "KnownFinalizerWouldHold", Details: details}
}
