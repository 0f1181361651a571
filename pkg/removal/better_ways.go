package removal

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// released offers the supported way to be rid of the garbage collector's own entries: a second DELETE.
func (r *Remover) released(object *session.Object, entries []finding.Hold) (ways []result.BetterWay) {
	for _, hold := range entries {
		if !collectorHold(hold) {
			continue
		}
		remedy := finding.Remedy{
			Step: "DeleteAgain", Details: finding.StepDetails{Object: &object.Ref, Name: hold.Name},
			Command: r.kubectl().Command(object, "delete", "--cascade=background", "--wait=false"),
			Risk:    finding.Disruption,
		}
		if hold.Name == metav1.FinalizerOrphanDependents {
			remedy.Step, remedy.Risk = "DeleteAgainDespiteOrphans", finding.DataLoss
		}
		remedies := finding.Voice{}.Remedies([]finding.Remedy{remedy})
		ways = append(ways, result.BetterWay{Hold: hold, Remedies: remedies})
	}
	return ways
}

// better returns what should be tried before force: the supported way, and what the diagnosis offers beside it, safest
// first, and the same by what it is about. Where the supported way loses what the diagnosis may save, it comes last.
func (r *Remover) better(seen *look, entries []finding.Hold) ([]finding.Remedy, []result.BetterWay) {
	released, ways := r.released(seen.object, entries), offered(seen, entries)
	var keeps result.BetterWay
	if first, needed := loss.Retain(r.kubectl(), seen.goes()); needed {
		keeps.Remedies = finding.Voice{}.Remedies([]finding.Remedy{first})
		for i := range ways {
			kept := func(remedy finding.Remedy) bool { return slices.Equal(remedy.Command, first.Command) }
			ways[i].Remedies = slices.DeleteFunc(ways[i].Remedies, kept)
		}
	}
	heavy := func(way result.BetterWay) bool { return way.Remedies[0].Risk == finding.DataLoss }
	if slices.ContainsFunc(released, heavy) {
		ways = slices.Concat([]result.BetterWay{keeps}, ways, released)
	} else {
		ways = slices.Concat([]result.BetterWay{keeps}, released, ways)
	}
	ways = slices.DeleteFunc(ways, func(way result.BetterWay) bool { return len(way.Remedies) == 0 })
	all := []finding.Remedy{}
	for _, way := range ways {
		all = append(all, way.Remedies...)
	}
	return all, ways
}

// offered is what the diagnosis offers about each cause of the finalizers to be removed, or, where none is named, of
// all that holds the object. Another last resort is no better way.
func offered(seen *look, entries []finding.Hold) (ways []result.BetterWay) {
	if len(entries) == 0 {
		entries = seen.object.Holds()
	}
	var all []finding.Remedy
	for _, hold := range entries {
		for _, cause := range seen.about(hold).causes {
			way := result.BetterWay{Hold: hold, Reason: cause.Reason}
			for _, remedy := range safestFirst(cause.Remedies) {
				if !remedy.LastResort() && !slices.ContainsFunc(all, remedy.Equal) {
					way.Remedies = append(way.Remedies, remedy)
				}
			}
			all, ways = append(all, way.Remedies...), append(ways, way)
		}
	}
	return ways
}

func safestFirst(remedies []finding.Remedy) []finding.Remedy {
	order := []finding.Risk{finding.NoRisk, finding.Disruption, finding.Orphans, finding.DataLoss}
	return slices.SortedStableFunc(slices.Values(remedies), func(a, b finding.Remedy) int {
		return slices.Index(order, a.Risk) - slices.Index(order, b.Risk)
	})
}
