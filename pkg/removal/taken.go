package removal

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addTaken says what goes with an object once nothing holds it, whatever else still does: who that is may have waited
// for nothing but this. What could not be read of its dependents is warned of by dependentWarnings.
func (r *Remover) addTaken(ctx context.Context, around *mechanism.Tools, one *item) {
	taken := append([]finding.Taken{}, one.seen.taken...)
	taken = append(taken, around.Losses.Dependents(ctx, one.seen.object, func(owner *session.Object) []*session.Object {
		dependents, _, _ := around.Session.Referrers(ctx, owner) // which was read for this object before
		return dependents
	})...)
	one.view.Takes, one.view.Risk = finding.Voice{}.TellTaken(taken), finding.WorstOf(taken)
}

// takenFacts are what is lost with an object, in a form that two looks can be compared in: a volume that is deleted
// now, and was to be kept, is another plan.
func (l *look) takenFacts() (facts []finding.Phrase) {
	for _, one := range l.taken {
		if one.Details.Volume == nil && one.Risk != finding.DataLoss {
			continue // pods come and go on a Node
		}
		fact := finding.FactDetails{Object: named(one.Object), Name: one.Situation}
		if one.Details.Volume != nil {
			fact.Object = named(*one.Details.Volume)
		}
		facts = append(facts, finding.Phrase{Situation: "TakenFact", Details: fact})
	}
	return facts
}
