package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// addDeadlocks adds a cause for each circle of waits. It is told at the member that sorts first.
func (r *run) addDeadlocks() {
	for _, members := range r.graph.Cycles() {
		first := slices.MinFunc(members, func(a, b int) int { return graph.Compare(r.graph.Nodes()[a].Ref, r.graph.Nodes()[b].Ref) })
		cause := r.deadlock(members, first)
		for _, member := range members {
			r.addCause(member, cause)
		}
	}
}

func (r *run) deadlock(members []int, first int) graph.Cause {
	nodes := r.graph.Nodes()
	object := nodes[first].Ref
	var evidence []graph.Evidence
	var foreground []int
	for _, member := range members {
		for _, edge := range r.graph.WaitsOf(member) {
			if !slices.Contains(members, edge.To) {
				continue
			}
			from := nodes[member].Ref
			evidence = append(evidence, graph.Evidence{
				Source: from.String(), Observed: fmt.Sprintf("waits for %s (%s)", nodes[edge.To].Ref, holdName(edge.Hold)), Object: &from,
			})
			if edge.Hold != nil && edge.Hold.Name == metav1.FinalizerDeleteDependents && !slices.Contains(foreground, member) {
				foreground = append(foreground, member)
			}
		}
	}
	circle, awaited := object.String()+" waits for itself", "itself, a deadlock that no controller ever breaks"
	if len(members) > 1 {
		names := make([]string, len(members))
		for i, member := range members {
			names[i] = nodes[member].Ref.String()
		}
		circle = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " wait for one another"
		awaited = fmt.Sprintf("the end of a deadlock among %d objects that wait for one another, which no controller ever breaks", len(members))
	}
	if len(members) == 1 && first != target {
		awaited = object.String() + ", which waits for " + awaited
	}
	var remedies []graph.Remedy
	if len(foreground) > 0 { // one link is enough
		remedies = []graph.Remedy{r.world.StopWaiting(nodes[foreground[0]].Ref)}
	}
	return graph.Cause{
		Reason: graph.OwnershipDeadlock, Object: object, Certainty: graph.Proven,
		Message:  circle + ": a deadlock, which no controller ever breaks.",
		Awaited:  awaited,
		Evidence: evidence,
		Remedies: remedies,
	}
}

func holdName(hold *graph.Hold) string {
	switch {
	case hold == nil:
		return "unknown"
	case hold.Name == "":
		return string(hold.Type)
	}
	return hold.Name
}
