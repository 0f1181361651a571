package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// knownFinalizer explains finalizers that the catalogue knows, but whose release condition no mechanism reads. It says
// how the component fares that removes them.
func knownFinalizer(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Type != finding.Finalizer {
		return session.Answer{}, false
	}
	known, found := t.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	if !found {
		return session.Answer{}, false
	}
	if len(known.StatusFields)+len(known.ResourceFields) > 0 {
		_ = t.Attribution.ReadFields(ctx, object) // nothing rests on them, and a failed read is noted
	}
	details := attribution.KnownDetails(known)
	details.Asked = true
	for _, wait := range known.Waits { // declaredWait was asked before: nothing is left of what it looks for
		details.NothingLeft = append(details.NothingLeft, strings.TrimSuffix(wait.Resource, ".*"))
	}
	unchecked := finding.Finding{
		Situation: "KnownFinalizer", Details: details, Object: object.Ref, Finalizer: hold.Name,
		Evidence: append([]finding.Evidence{attribution.KnownEvidence(hold, known)}, toldByFields(object, known)...),
		Remedies: t.insteadOfForce(object, hold, known),
		Key:      finding.KeyOf("KnownFinalizer", hold.Name, known.RemovedBy, known.WaitsFor),
	}
	if known.RemovedBy != session.ControllerManager {
		if refused := t.Refusals.Refused(ctx, refusal.RemovalOf(object, hold)); refused.Found() || len(refused.Unsure) > 0 {
			return session.Open(unchecked), true
		}
		return t.Attribution.AttributeKnown(ctx, object, hold, known, unchecked), true
	}
	answer, alive := t.Health.ControllerManagerAlive(ctx)
	if alive {
		return session.Open(unchecked), true
	}
	return answer, true
}

// toldByFields quotes the fields in which the object itself says why it waits and what it stands for, as far as it was
// read.
func toldByFields(object *session.Object, known plugins.Finalizer) []finding.Evidence {
	if object.Whole == nil {
		return nil
	}
	var evidence []finding.Evidence
	for _, field := range slices.Concat(known.StatusFields, known.ResourceFields) {
		if values := field.Values(object.Whole.Object); len(values) > 0 {
			observed := field.Says + ": " + strings.Join(values, ", ")
			evidence = append(evidence, finding.Evidence{Source: object.Ref.String(), Observed: observed, Object: &object.Ref})
		}
	}
	return evidence
}

// insteadOfForce says what to do about a finalizer that is known, and how to read all of it.
func (t *Tools) insteadOfForce(object *session.Object, hold finding.Hold, known plugins.Finalizer) []finding.Remedy {
	words := finding.Command{"kubectl", "finalizers", "explain", hold.Name, "--kind", object.Resource.GroupKind().String()}
	if known.Dir != "" {
		words = append(words, "--plugins", known.Dir)
	}
	details := finding.StepDetails{Text: known.SafeWayOut}
	if known.Loses != "" {
		loss := t.Attribution.Loses(object, hold, known)
		details.Loss = &loss
	}
	return []finding.Remedy{{Step: "ReadAllThatIsKnown", Details: details, Command: words, Risk: finding.NoRisk}}
}
