package diagnosis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// addDeadlocks adds a cause for each circle of waits. It is told at the member that sorts first. While
// the garbage collector is down, that is a cause too: once the circle is broken, its members need it.
func (r *run) addDeadlocks(ctx context.Context) {
	for _, members := range r.graph.Cycles() {
		first := slices.MinFunc(members, func(a, b int) int { return finding.Compare(r.graph.Nodes()[a].Ref, r.graph.Nodes()[b].Ref) })
		cause := r.deadlock(members, first)
		for _, member := range members {
			r.addCause(member, cause)
		}
		if outage, down := r.world.Health.ControllerManagerDown(ctx); down {
			r.apply(first, nil, outage)
		}
	}
}

func (r *run) deadlock(members []int, first int) finding.Finding {
	circle, awaited := r.describeCircle(members, first)
	evidence, foreground := r.links(members)
	var remedies []finding.Remedy
	if len(foreground) > 0 { // to break one link is enough
		remedies = []finding.Remedy{r.world.StopWaiting(foreground[0])}
	}
	return finding.Finding{
		Reason: finding.OwnershipDeadlock, Object: r.graph.Nodes()[first].Ref, Certainty: finding.Proven,
		Message:  circle + ": a deadlock, which no controller ever breaks.",
		Awaited:  awaited,
		Evidence: evidence,
		Remedies: remedies,
	}
}

// named is how many members of a circle are named in a sentence; the evidence names them all.
const named = 5

// describeCircle tells a circle as a sentence of its own, and as what somebody waits for.
func (r *run) describeCircle(members []int, first int) (circle, awaited string) {
	names := make([]string, len(members))
	for i, member := range members {
		names[i] = r.graph.Nodes()[member].String()
	}
	if len(names) > 1 {
		last := names[len(names)-1]
		if more := len(names) - named; more > 0 {
			names, last = names[:named], fmt.Sprintf("%d more", more)
		} else {
			names = names[:len(names)-1]
		}
		circle = fmt.Sprintf("%s and %s wait for one another", strings.Join(names, ", "), last)
		return circle, "the end of a deadlock, which no controller ever breaks: " + circle
	}
	awaited = "itself, a deadlock that no controller ever breaks"
	if first != target || r.several {
		awaited = names[0] + ", which waits for " + awaited
	}
	return names[0] + " waits for itself", awaited
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
				Source: from.String(), Observed: fmt.Sprintf("waits for %s (%s)", nodes[edge.To].Ref, holdName(edge.Hold)), Object: &from,
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
