package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// knownFinalizer explains finalizers of the catalogue that no mechanism reads, by how their controller fares.
// declaredWait was asked before: nothing is left of what it looks for.
func knownFinalizer(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found {
		return Answer{}, false
	}
	answer := withoutWaits(ctx, t, held, known, true)
	if known.RemovedBy == session.ControllerManager || answer.Absent() {
		return answer, true // that holds whether or not something refuses the removal as well
	}
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(held.Object, held.Hold))
	if !refused.Found() && len(refused.Unsure) > 0 && !openOnly(answer) {
		return session.Open(uncheckedKnown(ctx, t, held, known, true)), true
	}
	return answer, true
}

// openOnly reports whether an answer leaves open how a controller fares, and says nothing else.
func openOnly(answer Answer) bool {
	return len(answer.Open) > 0 && len(answer.Waits)+len(answer.Causes)+len(answer.Progress) == 0
}

// withoutWaits answers for a finalizer of the catalogue by how its controller fares, and nothing else. ended says that
// nothing is left of what it waits for.
func withoutWaits(ctx context.Context, t *Tools, held Held, known plugins.Finalizer, ended bool) Answer {
	known = attribution.Acting(ctx, t.Attribution, held.Object, known)
	unchecked := uncheckedKnown(ctx, t, held, known, ended)
	if known.RemovedBy != session.ControllerManager {
		duties := declaredDuties(ctx, t, held, known)
		return t.Attribution.AttributeKnown(ctx, held.Object, held.Hold, known, unchecked, duties)
	}
	if answer, alive := t.Health.ControlPlane.ControllerManagerAlive(ctx, held.Object); !alive {
		return answer
	}
	unchecked.Remedies = attribution.WithoutStart(unchecked.Remedies)
	return session.Open(unchecked)
}

// uncheckedKnown is what is left to say of a finalizer of the catalogue where nothing shows why it is still there.
func uncheckedKnown(ctx context.Context, t *Tools, held Held, known plugins.Finalizer, ended bool) Finding {
	if len(known.StatusFields)+len(known.ResourceFields) > 0 {
		_ = t.Attribution.ReadFields(ctx, held.Object) // nothing rests on them, and a failed read is noted
	}
	details := attribution.KnownDetails(known)
	details.Asked = true
	for _, wait := range known.Waits {
		if !ended {
			break
		}
		left, name := &details.NothingLeft, strings.TrimSuffix(wait.Resource, ".*")
		kind := kindWaitedFor(held, wait)
		if wait.Defined() {
			name = kind.String()
		}
		if _, served, err := session.Served(ctx, t.Session.Reader, kind.Group, kind.Resource); err == nil && !served {
			left = &details.NotServed
		} else if deletesNext(ctx, t, held, wait) {
			left = &details.DeletesNext
		}
		*left = append(*left, name)
	}
	return Finding{
		Situation: "KnownFinalizer", Details: details, Object: held.Ref, Finalizer: held.Hold.Name,
		Evidence: slices.Insert(toldByFields(held.Object, known), 0, attribution.KnownEvidence(held.Hold, known)),
		Remedies: insteadOfForce(t.Session, t.Attribution, held, known),
		Key:      finding.KeyOf("KnownFinalizer", held.Hold.Name, known.RemovedBy, known.WaitsFor),
	}
}

// toldByFields quotes the fields in which the object itself says why it waits, as far as it was read.
func toldByFields(object *Object, known plugins.Finalizer) []Evidence {
	if object.Whole == nil {
		return nil
	}
	var evidence []Evidence
	for _, field := range slices.Concat(known.StatusFields, known.ResourceFields) {
		if values := field.Values(object.Whole.Object); len(values) > 0 {
			said := strings.Join(values, ", ")
			evidence = append(evidence, object.Ref.Observed("%s: %s", field.Says, said).Quoting(said))
		}
	}
	return evidence
}

func insteadOfForce(reads *session.Session, finder *attribution.Finder, held Held, known plugins.Finalizer) []Remedy {
	words := reads.Kubectl.Explain(held.Hold.Name, held.Resource.GroupKind().String())
	if known.Dir != "" {
		words = append(words, "--catalog", known.Dir)
	}
	namespace, read := reads.Reader.Known(cluster.Namespaces(), "", held.Ref.Namespace)
	closed := read && namespace.GetDeletionTimestamp() != nil
	details := finding.StepDetails{Start: known.Start, Text: known.WayOut(true, false, closed)}
	if known.Loses != "" {
		loss := finder.Loses(held.Object, held.Hold, known)
		details.Loss = &loss
	}
	return []Remedy{{Step: "ReadAllThatIsKnown", Details: details, Command: words}}
}
