package refusal

import (
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// A mutating webhook or policy can put a finalizer back into the very update that removes it: to validation, that adds
// none (k8s v1.37 apimachinery/pkg/api/validation/objectmeta.go:ValidateObjectMetaAccessorUpdate compares with what is
// stored). The request succeeds, and nothing has changed.

// namesFinalizer reports whether what a policy applies has a finalizer's name in it. What comes of that isn't
// evaluated.
func namesFinalizer(policy *admissionregistrationv1.MutatingAdmissionPolicy, finalizer string) bool {
	named := func(expression string) bool {
		return strings.Contains(expression, `'`+finalizer+`'`) || strings.Contains(expression, `"`+finalizer+`"`)
	}
	variables := slices.ContainsFunc(
		policy.Spec.Variables, func(v admissionregistrationv1.Variable) bool { return named(v.Expression) },
	)
	mutations := slices.ContainsFunc(policy.Spec.Mutations, func(m admissionregistrationv1.Mutation) bool {
		return m.ApplyConfiguration != nil && named(m.ApplyConfiguration.Expression) ||
			m.JSONPatch != nil && named(m.JSONPatch.Expression)
	})
	return finalizer != "" && (variables || mutations)
}

// putBack is the cause of a removal that passes and leaves the finalizer in place, as a dry run has shown. Webhooks and
// policies that change the object on its way are suspects, first the ones that name the finalizer.
func putBack(reads *session.Session, write Write, by finding.Evidence, found *Refusals) session.Answer {
	suspects := mutators(found.Unsure)
	if len(suspects) == 0 {
		suspects = mutators(found.doubts)
	}
	object := write.Object
	evidence := append([]finding.Evidence{by}, found.Uncertain()...)
	steps := edit(reads, suspects, finding.Remedy{Step: "SeeWhoPutsBack"})
	if len(suspects) == 1 {
		steps = append(steps, finding.Remedy{
			Step: "DeleteWhatPutsBack", Command: reads.Kubectl.CommandFor(suspects[0], "delete"),
			Risk: finding.Disruption,
		})
		return session.Answer{Waits: []session.Wait{refusedBy(&session.Object{Ref: suspects[0]}, finding.Finding{
			Reason: finding.AdmissionDenied, Situation: "PolicyPutsBack", Object: suspects[0],
			Certainty: finding.Likely,
			Details: finding.AdmissionDeniedDetails{
				Request: write.Request(), Finalizer: write.removes, PutBackInto: &object.Ref,
			},
			Evidence: evidence, Remedies: steps,
		})}}
	}
	if len(suspects) == 0 {
		steps = []finding.Remedy{{Step: "AskAboutHiddenAdmission", Risk: finding.NoRisk}}
	}
	return session.Cause(finding.Finding{
		Reason: finding.UpdateInvalid, Situation: "FinalizerPutBack", Object: object.Ref, Certainty: finding.Proven,
		Finalizer: write.removes, Details: finding.UpdateInvalidDetails{Changers: suspects},
		Evidence: evidence, Remedies: steps,
	})
}

func edit(reads *session.Session, changers []finding.Ref, step finding.Remedy) (steps []finding.Remedy) {
	for _, changer := range changers {
		step.Details, step.Risk = finding.StepDetails{Object: &changer}, finding.NoRisk
		step.Command = reads.Kubectl.CommandFor(changer, "edit")
		steps = append(steps, step)
	}
	return steps
}

// invalidUpdate is the cause of an update that validation refuses, whoever sends it
// (docs/deletion.md#validation-on-update).
func invalidUpdate(
	reads *session.Session, write Write, message string, fields []string, by finding.Evidence, doubts []finding.Evidence,
) finding.Finding {
	object, changers := write.Object, mutators(doubts)
	cause := finding.Finding{
		Reason: finding.UpdateInvalid, Situation: "UpdateFailsValidation", Object: object.Ref,
		Certainty: finding.Proven,
		Details:   finding.UpdateInvalidDetails{Fields: fields, Said: message, Changers: changers},
		Finalizer: write.removes, Evidence: append([]finding.Evidence{by}, doubts...),
	}
	if len(changers) > 0 {
		cause.Remedies = edit(reads, changers, finding.Remedy{Step: "SeeWhoChangesObject"})
		return cause
	}
	mend := finding.Remedy{Step: "MakeObjectValid", Risk: finding.NoRisk}
	if !object.Is("", "Secret") { // an editor would show its data
		mend.Command = reads.Kubectl.Command(object, "edit")
	}
	cause.Remedies = []finding.Remedy{mend}
	return cause
}

func mutators(doubts []finding.Evidence) []finding.Ref {
	other := func(ref finding.Ref) bool { return !strings.HasPrefix(ref.Kind, "Mutating") }
	return slices.DeleteFunc(objectsOf(doubts), other)
}
