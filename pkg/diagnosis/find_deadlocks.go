package diagnosis

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
)

// addDeadlocks adds a cause for each circle of waits. It is told at the member that sorts first. While
// the garbage collector is down, that is a cause too: once the circle is broken, its members need it.
func (x *expansion) addDeadlocks(ctx context.Context) {
	byName := func(a, b int) int { return finding.Compare(x.graph.Nodes()[a].Ref, x.graph.Nodes()[b].Ref) }
	for _, members := range x.graph.Cycles(ctx) {
		if ctx.Err() != nil {
			return
		}
		first := slices.MinFunc(members, byName)
		cause := x.deadlock(members, first)
		for _, member := range members {
			x.addCause(member, cause)
		}
		if outage, down := x.tools.Health.ControlPlane.ControllerManagerDown(ctx, nil); down {
			x.apply(first, nil, outage)
		}
	}
}

func (x *expansion) deadlock(members []int, first int) finding.Finding {
	nodes := x.graph.Nodes()
	cause := finding.Finding{
		Reason: finding.OwnershipDeadlock, Situation: "ForegroundDeadlock",
		Object: nodes[first].Ref, Certainty: finding.Proven,
	}
	var details finding.DeadlockDetails
	inside := map[int]bool{}
	for _, member := range members {
		inside[member] = true
	}
	for _, member := range members {
		from := nodes[member].Ref
		details.Members = append(details.Members, from)
		for _, edge := range x.graph.WaitsOf(member) {
			if !inside[edge.To] || edge.ForAnswer {
				continue
			}
			hold := "unknown"
			if edge.Hold != nil {
				hold = cmp.Or(edge.Hold.Name, string(edge.Hold.Type))
			}
			cause.Evidence = append(cause.Evidence, finding.Evidence{
				Source: from.String(), Observed: fmt.Sprintf("waits for %s (%s)", nodes[edge.To].Ref, hold),
				Object: &from,
			})
			if hold == metav1.FinalizerDeleteDependents && cause.Remedies == nil { // to break one link is enough
				cause.Remedies = []finding.Remedy{mechanism.StopWaiting(x.tools.Session, from, false)}
			}
		}
	}
	cause.Details = details
	return cause
}
