package diagnosis

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// addDeadlocks adds a cause for each circle of waits. It is told at the member that sorts first. While
// the garbage collector is down, that is a cause too: once the circle is broken, its members need it.
func (r *run) addDeadlocks(ctx context.Context) {
	for _, members := range r.graph.Cycles() {
		first := slices.MinFunc(
			members, func(a, b int) int { return finding.Compare(r.graph.Nodes()[a].Ref, r.graph.Nodes()[b].Ref) },
		)
		cause := r.deadlock(members, first)
		for _, member := range members {
			r.addCause(member, cause)
		}
		if outage, down := r.tools.Health.ControllerManagerDown(ctx); down {
			r.apply(first, nil, outage)
		}
	}
}

func (r *run) deadlock(members []int, first int) finding.Finding {
	evidence, foreground := r.links(members)
	var remedies []finding.Remedy
	if len(foreground) > 0 { // to break one link is enough
		remedies = []finding.Remedy{r.tools.StopWaiting(foreground[0])}
	}
	refs := make([]finding.Ref, len(members))
	for i, member := range members {
		refs[i] = r.graph.Nodes()[member].Ref
	}
	return finding.Finding{
		Reason: finding.OwnershipDeadlock, Situation: "ForegroundDeadlock", Details: finding.DeadlockDetails{Members: refs},
		Object: r.graph.Nodes()[first].Ref, Certainty: finding.Proven, Evidence: evidence, Remedies: remedies,
	}
}

// links names every wait between members, and the members that wait in foreground deletion.
func (r *run) links(members []int) (evidence []finding.Evidence, foreground []finding.Ref) {
	nodes := r.graph.Nodes()
	for _, member := range members {
		from := nodes[member].Ref
		for _, edge := range r.graph.WaitsOf(member) {
			if !slices.Contains(members, edge.To) || edge.ForAnswer {
				continue
			}
			evidence = append(evidence, finding.Evidence{
				Source: from.String(), Observed: fmt.Sprintf(
					"waits for %s (%s)", nodes[edge.To].Ref, holdName(edge.Hold),
				), Object: &from,
			})
			if edge.Hold != nil && edge.Hold.Name == metav1.FinalizerDeleteDependents && !slices.Contains(foreground, from) {
				foreground = append(foreground, from)
			}
		}
	}
	return evidence, foreground
}

func holdName(hold *finding.Hold) string {
	switch {
	case hold == nil:
		return "unknown"
	case hold.Name == "":
		return string(hold.Type)
	}
	return hold.Name
}
