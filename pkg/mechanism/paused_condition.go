package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// saidPaused is the answer for an object whose condition says that it is paused, while no switch was found that does
// this: what its owner or its controller has may not be readable, or have another name. Cluster API's controllers write
// Paused on all that they don't act on, with the reason (kubernetes-sigs/cluster-api util/paused/paused.go:
// EnsurePausedCondition). It is Likely: a condition may be left from before. It says nothing if the controller is seen
// to act, or is not there, or more could be read, or if the catalogue knows the finalizer without any switch.
func saidPaused(ctx context.Context, t *Tools, held Held, said Answer) (answer Answer, off bool) {
	known, isKnown := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if isKnown && len(known.Switches) == 0 || cluster.ServedByKubernetes(held.Resource.Group) || len(said.Waits) > 0 ||
		said.Absent() || acts(said) || lacksReads(said) {
		return said, false
	}
	_ = t.Attribution.ReadFields(ctx, held.Object) // a failed read is noted
	if held.Whole == nil {
		return said, false
	}
	report, is := statuses.Paused(held.Whole)
	if !is {
		return said, false
	}
	cause := pausedCause(t, held, report)
	if len(said.Causes) == 1 && said.Causes[0].Reason == finding.ControllerUnknown {
		cause.Evidence = append(cause.Evidence, said.Causes[0].Evidence...)
	}
	answer = session.Cause(cause)
	answer.Remarks = said.Remarks
	for _, other := range said.Causes {
		if other.Reason != finding.ControllerUnknown {
			answer.Causes = append(answer.Causes, other)
		}
	}
	return answer, true
}

func pausedCause(t *Tools, held Held, report statuses.Report) Finding {
	observed := session.ObservedOf(held.Object, report.Where+": "+finding.Quoted(report.Words)).Quoting(report.Words)
	if !report.At.IsZero() {
		observed = observed.When(report.At)
	}
	return Finding{
		Reason: finding.ReconciliationPaused, Situation: "ConditionSaysPaused",
		Details: finding.SwitchDetails{Field: report.Where, Value: report.Words, Since: report.At},
		Object:  held.Ref, Finalizer: held.Hold.Name, Certainty: finding.Likely, Evidence: []Evidence{observed},
		Key: finding.KeyOf("PausedCondition", held.Resource.QualifiedName(), held.Hold.Name, report.Words),
		Remedies: []Remedy{{
			Step: "FindWhatPauses", Details: finding.StepDetails{Object: &held.Ref},
			Command: t.Session.Kubectl.Command(held.Object, "get", "-o", "yaml"), Risk: finding.NoRisk,
		}},
	}
}
