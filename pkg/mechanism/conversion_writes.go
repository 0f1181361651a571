package mechanism

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// writesFail answers for a conversion that failed, where the instances can be read now. Who asks for the version that
// they are stored in needs no conversion, and each write converts them to the storage version, a deletion too
// (docs/deletion.md#conversion-webhooks). It is no answer if what was read was converted, or nothing has to be.
func writesFail(
	ctx context.Context, reads *session.Session, checker *health.Checker, held *Object, damage session.Damage,
	read cluster.Resource, said []Evidence,
) (answer Answer, fail bool) {
	if !damage.Conversion() {
		return Answer{}, false
	}
	crd := session.Named(cluster.CustomResourceDefinitions(), "", read.QualifiedName())
	definition, err := session.ReadAs[session.Definition](ctx, reads, crd)
	switch {
	case apierrors.IsNotFound(err):
		return Answer{}, false
	case err != nil:
		return session.Unread(finding.UnreadObject(crd.Ref), err, said...), true
	case !definition.Converts() || definition.StoredUnconverted() || definition.StorageVersion() == read.Version:
		return Answer{}, false
	}
	found, _ := converter(ctx, checker, definition)
	switch found.State {
	case health.BackendBroken:
		cause := conversionCause(ctx, reads, checker, held, crd, definition, damage, said)
		if details, is := cause.Details.(finding.ConversionDetails); is {
			details.Storage = definition.StorageVersion()
			cause.Details = details
		}
		return conversionAnswer(held, crd, definition, cause), true
	case health.BackendUnknown:
		return session.Open(Finding{
			Situation: "ConversionNotJudged", Object: crd.Ref, Evidence: said,
			Details: finding.ConversionDetails{Kind: read.Kind, Backend: &found.Words},
		}), true
	}
	return Answer{}, false
}
