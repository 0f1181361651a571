package refusal

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// A mutating webhook or policy can put a finalizer back into the very update that takes it off: to validation, that adds
// none (k8s v1.37 apimachinery/pkg/api/validation/objectmeta.go:ValidateObjectMetaAccessorUpdate compares with what is
// stored). The request succeeds, and nothing has changed.

// namesFinalizer tells whether what a policy applies has a finalizer's name in it. What comes of that isn't evaluated.
func namesFinalizer(policy *admissionregistrationv1.MutatingAdmissionPolicy, finalizer string) bool {
	named := func(expression string) bool {
		return strings.Contains(expression, `'`+finalizer+`'`) || strings.Contains(expression, `"`+finalizer+`"`)
	}
	variables := slices.ContainsFunc(policy.Spec.Variables, func(v admissionregistrationv1.Variable) bool { return named(v.Expression) })
	return finalizer != "" && (variables || slices.ContainsFunc(policy.Spec.Mutations, func(m admissionregistrationv1.Mutation) bool {
		return m.ApplyConfiguration != nil && named(m.ApplyConfiguration.Expression) || m.JSONPatch != nil && named(m.JSONPatch.Expression)
	}))
}

// putBack is the cause of a removal that passes and leaves the finalizer in place, as a dry run has shown. Of those that
// change the object on its way, the ones that name the finalizer are the first to suspect.
func (c *Checker) putBack(write Write, by finding.Evidence, found *Refusals) session.Answer {
	suspects := mutators(found.Unsure)
	if len(suspects) == 0 {
		suspects = mutators(found.doubts)
	}
	object, names := write.Object, make([]string, len(suspects))
	cause := finding.Finding{
		Reason: finding.UpdateInvalid, Object: object.Ref, Finalizer: write.removes, Certainty: finding.Proven,
		Evidence: append([]finding.Evidence{by}, found.Uncertain()...),
	}
	for i, suspect := range suspects {
		names[i] = suspect.String()
		cause.Remedies = append(cause.Remedies, finding.Remedy{
			Action:  fmt.Sprintf("See whether it is %s that adds the finalizer on every update, and have it leave alone what has a deletionTimestamp.", suspect),
			Command: c.Session.Kubectl.CommandFor(suspect, "edit"),
			Risk:    finding.NoRisk,
		})
	}
	who := session.Some(names, 3)
	switch len(suspects) {
	case 0:
		who = "something that the API doesn't show, such as admission configuration in files of kube-apiserver"
		cause.Remedies = []finding.Remedy{{
			Action: "Ask who runs kube-apiserver what it changes in objects by files of its own. No webhook or policy was found that changes this one.",
			Risk:   finding.NoRisk,
		}}
	case 1:
		cause.Reason, cause.Object, cause.Finalizer, cause.Certainty = finding.AdmissionDenied, suspects[0], "", finding.Likely
		cause.Remedies = append(cause.Remedies, finding.Remedy{
			Action:  "If what it belonged to is gone for good, delete it. Read it first, and keep that: it is what puts it back.",
			Command: c.Session.Kubectl.CommandFor(suspects[0], "delete"),
			Risk:    finding.Disruption,
			Loses:   "the changes that it makes elsewhere, until it is put back",
		})
	default:
		who = "one of " + who
	}
	puts := fmt.Sprintf("puts %s back into every update of %s that would take it off", write.removes, object.Ref)
	cause.Message = fmt.Sprintf("%s %s. Such an update succeeds, whoever sends it, and the finalizer stays.", strings.ToUpper(who[:1])+who[1:], puts)
	cause.Awaited = fmt.Sprintf("%s, which %s", who, puts)
	if len(suspects) == 1 {
		return session.Answer{Waits: []session.Wait{{Blocker: &session.Object{Ref: suspects[0]}, ForAnswer: true, Otherwise: session.Cause(cause)}}}
	}
	return session.Cause(cause)
}
