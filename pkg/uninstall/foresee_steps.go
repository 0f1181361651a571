package uninstall

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// foresee asks what deleting some objects at the same time would do, after the steps so far. It returns nil if none of
// them is left.
func (p *planner) foresee(ctx context.Context, objects []*session.Object) (*result.Preview, error) {
	with := map[string]bool{}
	for _, object := range objects {
		with[object.Ref.UID] = true
	}
	options := preview.Options{Options: p.options.Options, Gone: p.gone, With: with}
	for _, object := range objects {
		target := session.Target{Resource: object.Resource, Namespace: object.Ref.Namespace, Name: object.Ref.Name}
		answer, err := preview.Preview(ctx, p.tools.Session.Reader, target, options)
		if apierrors.IsNotFound(err) {
			continue
		}
		return answer, err
	}
	return nil, nil
}

// goes marks what is deleted in a step, and returns all of it that the step doesn't name.
func (p *planner) goes(answer *result.Preview, named []*session.Object) (besides []result.Going) {
	own := map[string]bool{}
	for _, object := range named {
		own[object.Ref.UID] = true
		p.gone[object.Ref.UID] = true
	}
	for _, kind := range answer.Goes {
		for _, object := range kind.Objects {
			p.gone[object.UID] = true
		}
		kind.Objects = slices.DeleteFunc(slices.Clone(kind.Objects),
			func(object finding.Ref) bool { return own[object.UID] })
		if kind.Count = len(kind.Objects); kind.Count > 0 && !kind.Tells() {
			besides = append(besides, kind)
		}
	}
	return besides
}

// addBlocked keeps what would hang in a step, and what would refuse it, with its causes, and whose controller does not
// run yet.
func (p *planner) addBlocked(answer *result.Preview) {
	places := make([]int, len(answer.RootCauses))
	for i, cause := range answer.RootCauses {
		places[i] = p.addCause(cause)
	}
	for _, one := range answer.Holds {
		if one.State == string(attribution.Starting) && one.Controller != nil {
			p.starting[*one.Controller] = true
		}
	}
	for _, hanging := range answer.Hanging {
		causes := hanging.RootCauses
		hanging.RootCauses = nil
		for _, cause := range causes {
			hanging.RootCauses = append(hanging.RootCauses, places[cause])
		}
		if hanging.Verdict == result.Stuck && onlyReported(answer.RootCauses, causes) {
			hanging.Verdict = result.Undetermined
		}
		p.plan.Blocked = append(p.plan.Blocked, hanging)
	}
	for _, refusal := range answer.Refusals {
		known := func(other result.Refusal) bool { return other.By == refusal.By && other.Object == refusal.Object }
		if !slices.ContainsFunc(p.plan.Refusals, known) {
			p.plan.Refusals = append(p.plan.Refusals, refusal)
		}
	}
	for _, asked := range answer.Asked {
		if asked.Unjudged {
			answer.Unsure = append(answer.Unsure, finding.Observed(asked.By.String(), "%s", asked.Message))
		}
	}
	for _, doubt := range answer.Unsure {
		known := func(other finding.Evidence) bool {
			return other.Source == doubt.Source && other.Observed == doubt.Observed
		}
		if !slices.ContainsFunc(p.plan.Unsure, known) {
			p.plan.Unsure = append(p.plan.Unsure, doubt)
		}
	}
	for _, note := range answer.Notes {
		if !slices.Contains(p.plan.Notes, note) {
			p.plan.Notes = append(p.plan.Notes, note)
		}
	}
}

// onlyReported reports whether some causes are no more than what controllers report about objects that are not being
// deleted: a broker that isn't ready can be deleted all the same, so that only the deletion shows whether it hangs.
func onlyReported(all []result.RootCause, some []int) bool {
	for _, cause := range some {
		if all[cause].Reason != finding.ControllerFailing {
			return false
		}
	}
	return len(some) > 0
}

func (p *planner) addCause(cause result.RootCause) int {
	at := slices.IndexFunc(p.plan.RootCauses, func(known result.RootCause) bool {
		return known.Reason == cause.Reason && known.Object == cause.Object && known.Finalizer == cause.Finalizer
	})
	if at >= 0 {
		return at
	}
	p.plan.RootCauses = append(p.plan.RootCauses, cause)
	return len(p.plan.RootCauses) - 1
}

// addNeeding keeps what stays, and needs what goes in a step.
func (p *planner) addNeeding(answer *result.Preview) {
	add := func(staying result.UninstallStaying) {
		same := func(other result.UninstallStaying) bool {
			return other.Why == staying.Why && slices.Equal(other.Objects, staying.Objects) &&
				ptr.Equal(other.Uses, staying.Uses)
		}
		if !slices.ContainsFunc(p.plan.Stays, same) {
			p.plan.Stays = append(p.plan.Stays, staying)
		}
	}
	for _, later := range answer.Later {
		add(result.UninstallStaying{
			Why: result.LosesController, Objects: slices.Concat(later.Objects, later.Waiting), Uses: &later.Controller,
			Message: later.Message,
		})
	}
	for _, broken := range answer.Breaks {
		add(result.UninstallStaying{
			Why: result.UsesService, Objects: []finding.Ref{broken.Object}, Uses: &broken.Uses, Message: broken.Message,
		})
	}
	for _, staying := range answer.Stays {
		add(result.UninstallStaying{
			Why: result.KeptObject, Objects: staying.Objects, Uses: staying.Owner, Message: staying.Message,
		})
	}
}
