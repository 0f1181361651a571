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
func (r *run) foretellTroubles(ctx context.Context, object *session.Object) {
	if object.Undeletable() || r.fate.Awaits != nil {
		return
	}
	if object.Is("", "Namespace") {
		r.addTroubles(
			finding.Finding{Situation: "APIServiceWouldHold"},
			mechanism.Undiscovered(ctx, r.tools.Session, r.tools.Health, object),
		)
		inside := r.tools.Session.Catalog(ctx).OwnedInNamespaces()
		for _, refused := range r.tools.Refusals.RefusedInside(ctx, object.Ref.Name, inside) {
			r.trouble(finding.Finding{
				Situation: "ContentNotDeletable", Object: refused.Object, Evidence: refused.Evidence, Details: refused.Details,
			})
		}
		return
	}
	if told := mechanism.PodsOfLive(ctx, r.tools, object); len(told) > 0 {
		r.trouble(told[0])
		r.remark(told[1:]...)
	}
	for _, hold := range object.Holds() {
		if hold.Type == finding.Finalizer && hold.Name != session.CleanupFinalizer {
			refused := r.tools.Refusals.Refused(ctx, refusal.Removal(object, hold.Name, ""))
			r.addTroubles(finding.Finding{Situation: "ReleaseWouldBeRefused"}, refused.Answer)
			break // as a rule, the same of all
		}
	}
	catalog := r.tools.Session.Catalog(ctx)
	converted, several := object.Resource, catalog.Versions()[object.Resource.GroupKind()] > 1
	if object.Is("apiextensions.k8s.io", "CustomResourceDefinition") { // which waits for the deletion of its instances
		converted, several = catalog.Find(schema.ParseGroupResource(object.Ref.Name))
	}
	if several && mechanism.Convertible(r.tools.Session, converted) {
		r.addTroubles(finding.Finding{Situation: "ConversionMayFail"}, mechanism.Unconverted(ctx, r.tools, converted))
	}
}

// addTroubles adds a finding for each cause of an answer. Causes that someone intends share the finding told.
func (r *run) addTroubles(told finding.Finding, answer session.Answer) {
	for cause := range answer.AllCauses() {
		if cause.Reason != finding.AdmissionDenied {
			told.Object, told.Evidence = cause.Object, cause.Evidence
			told.Details = finding.AwaitedCauseDetails{
				Object: cause.Object, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details, Cause: *cause,
			}
			r.trouble(told)
		}
	}
	r.remark(answer.Open...)
}

// trouble puts a sentence into the summary, and its evidence beside it; none about what refuses the deletion itself,
// whose steps are told.
func (r *run) trouble(told finding.Finding) {
	if slices.Contains(r.refusing, told.Object) {
		return
	}
	r.troubles = append(r.troubles, told)
	r.remark(told)
}
