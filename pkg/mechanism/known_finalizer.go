package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// knownFinalizer explains finalizers of which it is known who removes them and when, but whose
// release condition no mechanism reads. It tells how that component fares.
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
	unchecked := finding.Finding{
		Message:  fmt.Sprintf("%s is held by %s, which %s removes when %s. %s", object.Ref, hold.Name, known.RemovedBy, known.WaitsFor, lookedAt(known)),
		Awaited:  fmt.Sprintf("%s to remove %s, which it does when %s", known.RemovedBy, hold.Name, known.WaitsFor),
		Evidence: append([]finding.Evidence{attribution.KnownEvidence(hold, known)}, toldByFields(object, known)...),
		Remedies: t.insteadOfForce(object, hold, known),
	}
	if doubt := known.Verified.Doubt(); doubt != "" {
		unchecked.Message += " Take that as a hint: " + doubt + "."
		unchecked.Awaited += " (unverified)"
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

// lookedAt says how much of the release condition was read. declaredWait was asked before: of what
// it looks for, nothing is left.
func lookedAt(known plugins.Finalizer) string {
	if len(known.Waits) == 0 {
		return "Whether that is so was not looked at."
	}
	resources := make([]string, len(known.Waits))
	for i, wait := range known.Waits {
		resources[i] = strings.TrimSuffix(wait.Resource, ".*")
	}
	return fmt.Sprintf("Of what that may be, nothing is left among %s; the rest was not looked at.", strings.Join(resources, ", "))
}

// toldByFields quotes where the object itself says why it waits and what it stands for, as far as it
// was read.
func toldByFields(object *session.Object, known plugins.Finalizer) []finding.Evidence {
	if object.Whole == nil {
		return nil
	}
	var evidence []finding.Evidence
	for _, field := range slices.Concat(known.StatusFields, known.ResourceFields) {
		if values := field.Values(object.Whole.Object); len(values) > 0 {
			evidence = append(evidence, finding.Evidence{Source: object.Ref.String(), Observed: field.Says + ": " + strings.Join(values, ", "), Object: &object.Ref})
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
	action := "Read all that is known of the finalizer."
	if known.Loses != "" {
		action = fmt.Sprintf("Read all that is known of the finalizer before you think of force, which would lose %s.", t.Attribution.Loses(object, hold, known))
	}
	if known.SafeWayOut != "" {
		action = known.SafeWayOut + " " + action
	}
	return []finding.Remedy{{Action: action, Command: words, Risk: finding.NoRisk}}
}
