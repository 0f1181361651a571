package removal

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// released offers the supported way to be rid of the garbage collector's own entries: a second DELETE.
func (r *Remover) released(object *session.Object, entries []finding.Hold) []finding.Remedy {
	remedies := []finding.Remedy{}
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
		remedies = append(remedies, remedy)
	}
	return finding.Voice{}.Remedies(remedies)
}

// better returns what should be tried before force: the supported way, and what the diagnosis offers beside
// it, safest first. Where the supported way loses what the diagnosis may save, it comes last.
func (r *Remover) better(seen *look, entries []finding.Hold) []finding.Remedy {
	released, others := r.released(seen.object, entries), offered(seen)
	if first, needed := loss.Retain(r.kubectl(), seen.taken); needed {
		kept := func(remedy finding.Remedy) bool { return slices.Equal(remedy.Command, first.Command) }
		others = append(finding.Voice{}.Remedies([]finding.Remedy{first}), slices.DeleteFunc(others, kept)...)
	}
	if slices.ContainsFunc(released, func(remedy finding.Remedy) bool { return remedy.Risk == finding.DataLoss }) {
		return append(others, released...)
	}
	if len(loss.Volumes(seen.taken)) > 0 {
		return slices.Concat(others[:1], released, others[1:])
	}
	return append(released, others...)
}

func offered(seen *look) []finding.Remedy {
	remedies := []finding.Remedy{}
	for _, risk := range []finding.Risk{finding.NoRisk, finding.Disruption, finding.Orphans, finding.DataLoss} {
		for _, hold := range seen.object.Holds() {
			for _, cause := range seen.about(hold).causes {
				for _, remedy := range cause.Remedies {
					if remedy.Risk == risk && !remedy.Forces() && !slices.ContainsFunc(remedies, remedy.Equal) {
						remedies = append(remedies, remedy)
					}
				}
			}
		}
	}
	return remedies
}
