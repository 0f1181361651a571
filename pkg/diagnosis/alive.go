package diagnosis

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// explainLife finds out what becomes of an object that nobody has deleted: its owners, or its
// namespace, may decide that. Where it goes with one of them, that one is diagnosed too, from what
// has been read already.
func (r *run) explainLife(ctx context.Context, object *facts.Object) {
	r.add(object)
	r.fate = r.world.Fate(ctx, object)
	r.at(target).remarks = append(r.at(target).remarks, r.fate.Notes...)
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

// join takes over the graph of what the target goes with.
func (r *run) join(other *run, object *facts.Object) {
	numbers := make([]int, len(other.graph.Nodes()))
	for i, node := range other.graph.Nodes() {
		numbers[i] = r.graph.Add(node.Ref)
		if numbers[i] != target {
			r.graph.Describe(numbers[i], node.Terminating, node.Holds)
		}
	}
	if r.fate.Follows {
		r.graph.Link(graph.Edge{From: target, To: numbers[target], Type: graph.WaitsFor})
	}
	for _, owner := range object.Meta.OwnerReferences {
		if string(owner.UID) == r.fate.Awaits.Ref.UID {
			r.graph.Link(graph.Edge{From: numbers[target], To: target, Type: graph.Owns})
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
		r.at(target).remarks = append(r.at(target).remarks, facts.Note{
			Message: fmt.Sprintf("%s (%s): %s", awaited.Ref, cause.Reason, cause.Message), Awaited: cause.Message, Evidence: cause.Evidence,
		})
	}
	r.at(target).remarks = append(r.at(target).remarks, facts.Note{
		Message: fmt.Sprintf("What may be done is told about %s.", awaited.Ref), Awaited: "what may be done",
		Remedies: []graph.Remedy{{Action: "Ask about it.", Command: r.world.Kubectl.Why(awaited), Risk: graph.NoRisk}},
	})
}

// alive answers for an object that nobody has deleted.
func (r *run) alive(object *facts.Object) string {
	if undeletable(object) {
		return fmt.Sprintf("%s is not being deleted, and can't be: the API server refuses to delete it.", object.Ref)
	}
	sentences := r.fate.Says
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
func (r *run) wouldHold(object *facts.Object) string {
	var holds []string
	for _, hold := range object.Holds() {
		holds = append(holds, r.describeHold(object, hold))
	}
	if len(holds) == 0 {
		return "it would go at once, unless --cascade=foreground makes it wait for its dependents"
	}
	return "it would be held by " + strings.Join(holds, "; and by ")
}
