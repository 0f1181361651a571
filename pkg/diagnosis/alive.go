package diagnosis

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// explainLife finds out what becomes of an object that nobody has deleted: its owners, or its
// namespace, may decide that. Where it goes with one of them, that one is diagnosed too, from what
// has been read already.
func (r *run) explainLife(ctx context.Context, object *session.Object) {
	r.add(object)
	r.fate = r.world.Fate(ctx, object)
	r.at(target).remarks = append(r.at(target).remarks, r.fate.Notes...)
	r.addUnknown(object)
	if r.fate.Awaits == nil {
		r.refusedDeletion(ctx, object)
		return
	}
	other := newRun(r.world)
	other.explainDeletion(ctx, r.fate.Awaits)
	r.awaits = other.judge(ctx, r.fate.Awaits)
	r.join(other, object)
	r.addAwaited()
}

// addUnknown says who looks for somebody to remove the finalizers that no plugin knows: that is asked for all objects
// of a kind at once, and costs more than all else that is asked about one that nobody has deleted.
func (r *run) addUnknown(object *session.Object) {
	var names []string
	for _, hold := range object.Holds() {
		if _, known := r.world.Plugins.Find(hold.Name, object.Resource.GroupKind().String()); !known && hold.Type == finding.Finalizer && hold.Name != session.CleanupFinalizer {
			names = append(names, hold.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	r.at(target).remarks = append(r.at(target).remarks, finding.Finding{
		Message: fmt.Sprintf("Whether somebody is there to remove %s was not looked for.", strings.Join(names, ", ")), Awaited: "whether somebody is there",
		Remedies: []finding.Remedy{{Action: "Let check look for that.", Command: r.world.Session.Kubectl.Check(object), Risk: finding.NoRisk}},
	})
}

// join takes over the graph of what the target goes with.
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

// addAwaited remarks on the root causes of what the target goes with, and on where to read what to do.
func (r *run) addAwaited() {
	awaited := r.fate.Awaits
	for _, cause := range r.awaits.RootCauses {
		r.at(target).remarks = append(r.at(target).remarks, finding.Finding{
			Message: fmt.Sprintf("%s (%s): %s", awaited.Ref, cause.Reason, cause.Message), Awaited: cause.Message, Evidence: cause.Evidence,
		})
	}
	r.at(target).remarks = append(r.at(target).remarks, finding.Finding{
		Message: fmt.Sprintf("What may be done is told about %s.", awaited.Ref), Awaited: "what may be done",
		Remedies: []finding.Remedy{{Action: "Ask about it.", Command: r.world.Session.Kubectl.Why(awaited), Risk: finding.NoRisk}},
	})
}

// alive answers for an object that nobody has deleted.
func (r *run) alive(object *session.Object) string {
	if undeletable(object) {
		return fmt.Sprintf("%s is not being deleted, and can't be: the API server refuses to delete it.", object.Ref)
	}
	var sentences []string
	for _, foreseen := range r.fate.Says {
		sentences = append(sentences, r.voice(finding.Ref{}).Foretold(foreseen))
	}
	if r.awaits != nil {
		sentences = append(sentences, r.awaits.Summary)
	}
	if refused := r.refusal(object.Ref); refused != "" {
		sentences = append(sentences, refused)
	}
	if len(sentences) == 0 {
		return fmt.Sprintf("%s is not being deleted; if it were, %s.", object.Ref, r.wouldHold(object))
	}
	answer := fmt.Sprintf("%s is not being deleted. %s", object.Ref, strings.Join(sentences, " "))
	if len(object.Holds()) > 0 {
		answer += fmt.Sprintf(" If %s were deleted, %s.", object.Ref, r.wouldHold(object))
	}
	return answer
}

// wouldHold completes "if it were deleted, …".
func (r *run) wouldHold(object *session.Object) string {
	var holds []string
	for _, hold := range object.Holds() {
		holds = append(holds, r.describeHold(object, hold))
	}
	if len(holds) == 0 {
		return "it would go at once, unless --cascade=foreground makes it wait for its dependents"
	}
	return "it would be held by " + strings.Join(holds, "; and by ")
}
