package diagnosis

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// foretellTroubles says briefly what would block the deletion of an object that was not deleted yet: what check
// finds, as far as that costs next to nothing for one object.
func (l *life) foretellTroubles(ctx context.Context, object *session.Object) {
	if object.Undeletable() || l.fate.Awaits != nil {
		return
	}
	if object.Is("", "Namespace") {
		l.addTroubles(
			finding.Finding{Situation: "APIServiceWouldHold"},
			mechanism.Undiscovered(ctx, l.found.tools.Session, l.found.tools.Health, object, nil),
		)
		inside := l.found.tools.Session.ServedKinds(ctx).OwnedInNamespaces()
		for _, refused := range l.found.tools.Refusals.RefusedInside(ctx, object.Ref.Name, inside) {
			l.trouble(finding.Finding{
				Situation: "ContentNotDeletable", Object: refused.Object, Evidence: refused.Evidence, Details: refused.Details,
			})
		}
		return
	}
	if told := mechanism.PodsOfLive(ctx, l.found.tools, object); len(told) > 0 {
		l.trouble(told[0])
		l.found.remark(told[1:]...)
	}
	for _, hold := range object.Holds() {
		if hold.Type == finding.Finalizer && hold.Name != session.CleanupFinalizer {
			refused := l.found.tools.Refusals.Refused(ctx, refusal.Removal(object, hold.Name, ""))
			l.addTroubles(finding.Finding{Situation: "ReleaseWouldBeRefused"}, refused.Answer)
			break // as a rule, the same of all
		}
	}
	servedKinds := l.found.tools.Session.ServedKinds(ctx)
	converted, several := object.Resource, servedKinds.Versions()[object.Resource.GroupKind()] > 1
	if object.Is("apiextensions.k8s.io", "CustomResourceDefinition") { // which waits for the deletion of its instances
		converted, several = servedKinds.Find(schema.ParseGroupResource(object.Ref.Name))
	}
	if several && mechanism.Convertible(l.found.tools.Session, converted) {
		l.addTroubles(finding.Finding{Situation: "ConversionMayFail"}, mechanism.Unconverted(ctx, l.found.tools, converted))
	}
}

// addTroubles adds a finding for each cause of an answer. Causes that someone intends share the finding told.
func (l *life) addTroubles(told finding.Finding, answer session.Answer) {
	for cause := range answer.AllCauses() {
		if cause.Reason != finding.AdmissionDenied {
			told.Object, told.Evidence = cause.Object, cause.Evidence
			told.Details = finding.AwaitedCauseDetails{
				Object: cause.Object, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Cause: *cause,
			}
			l.trouble(told)
		}
	}
	l.found.remark(answer.Open...)
}

// trouble puts a sentence into the summary, and its evidence beside it; none about what refuses the deletion itself,
// whose steps are told.
func (l *life) trouble(cause finding.Finding) {
	if slices.Contains(l.refusing, cause.Object) {
		return
	}
	l.troubles = append(l.troubles, cause)
	l.found.remark(cause)
}
