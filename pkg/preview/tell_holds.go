package preview

import (
	"fmt"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// sayHolds writes the sentence of each finalizer on the way, and, for people, one for all kinds about which it says the
// same.
func sayHolds(
	voice finding.Voice, holds []result.FinalizerOnTheWay, objects []*session.Object, surely map[int]bool,
) {
	said, alike := make([]finding.Finding, len(objects)), map[string][]int{}
	for i := range holds {
		hold := &holds[i]
		details := finding.OnTheWayDetails{
			Resource: hold.Resource, Count: hold.Count, Hang: hold.Hang, May: !surely[i], RemovedBy: hold.RemovedBy,
			WaitsFor: hold.WaitsFor, Controller: hold.Controller, State: hold.State, Unasked: i >= mostHolds,
		}
		said[i] = finding.Finding{
			Situation: "FinalizerOnTheWay", Object: objects[i].Ref, Finalizer: hold.Finalizer, Details: details,
		}
		hold.Message = voice.Message(said[i])
		hold.Together = hold.Message
		if hold.Hang == 0 { // else a cause above says which
			details.Resource, details.Count = "", 0
			same := said[i]
			same.Object, same.Details = finding.Ref{}, details
			key := voice.Message(same)
			alike[key] = append(alike[key], i)
		}
	}
	for _, places := range alike {
		if len(places) == 1 {
			continue
		}
		together := said[places[0]]
		details := together.Details.(finding.OnTheWayDetails)
		details.Kinds = finding.Each(places, func(i int) string { return kindOnTheWay(holds[i]) })
		together.Details = details
		for _, i := range places {
			holds[i].Together = voice.Message(together)
		}
	}
}

func kindOnTheWay(hold result.FinalizerOnTheWay) string {
	return fmt.Sprintf("%s (%s)", hold.Resource, finding.Plural(hold.Count, "object"))
}
