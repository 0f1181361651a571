package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// reportedOnly answers for a conversion that fails by kube-apiserver's own words, where neither the instances nor the
// definition were recorded: what is pasted is all that there is. Whoever may not read them live finds out nothing.
func reportedOnly(
	ctx context.Context, reads *session.Session, held *Object, damage session.Damage, said []Evidence,
) (Answer, bool) {
	if !damage.Conversion() {
		return Answer{}, false
	}
	resource, known := resourceOf(ctx, reads, damage)
	if !known {
		return Answer{}, false
	}
	crd := session.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	definition, err := session.ReadAs[session.Definition](ctx, reads, crd)
	if err == nil && !partly(definition) || err != nil && !cluster.NotRecorded(err) {
		return Answer{}, false
	}
	return pointAt(held, crd, conversionReported(reads, held, crd, damage, said)), true
}

// partly reports whether only a part of a definition is at hand, which says nothing of how it converts: the strategy
// is always set (k8s v1.37 apiextensions-apiserver/pkg/apis/apiextensions/v1/defaults.go).
func partly(definition *session.Definition) bool { return definition.Spec.Conversion.Strategy == "" }

// conversionReported is the cause where kube-apiserver's own words say that the conversion fails, and the definition,
// which says by what, could not be read.
func conversionReported(
	reads *session.Session, held, crd *Object, damage session.Damage, said []Evidence,
) Finding {
	return Finding{
		Reason: finding.ConversionWebhookUnavailable, Situation: "ConversionReported", Object: crd.Ref,
		Certainty: finding.Likely, Evidence: said,
		Details: finding.ConversionDetails{
			Kind: damage.Kind.Kind, Words: damage.Said, InNamespace: held.Is("", "Namespace"),
		},
		Remedies: []Remedy{{Step: "SeeConversion", Command: reads.Kubectl.Command(crd, "describe")}},
	}
}
