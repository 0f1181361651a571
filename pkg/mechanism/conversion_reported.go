package mechanism

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// reportedOnly answers for a conversion that fails by kube-apiserver's own words, where neither the instances nor the
// definition can be read.
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
	if apierrors.IsNotFound(err) || err == nil && !partly(definition) {
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
	evidence := slices.Clone(said)
	if len(evidence) == 0 {
		read := "a read of " + crd.Ref.Name
		evidence = append(evidence, finding.Observed(read, "conversion webhook for %s failed: %s", damage.Kind,
			damage.Said).Quoting(damage.Said))
	}
	return Finding{
		Reason: finding.ConversionWebhookUnavailable, Situation: "ConversionReported", Object: crd.Ref,
		Certainty: finding.Likely, Evidence: evidence,
		Details: finding.ConversionDetails{
			Kind: damage.Kind.Kind, Words: damage.Said, InNamespace: held.Is("", "Namespace"),
		},
		Remedies: []Remedy{{Step: "SeeConversion", Command: reads.Kubectl.Command(crd, "describe")}},
	}
}
