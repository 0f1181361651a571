package mechanism

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// aboutDependent is what else is known of a dependent that the garbage collector leaves alone.
func (t *Tools) aboutDependent(ctx context.Context, owner, dependent *Object) []finding.Evidence {
	evidence := t.undiscovered(ctx, dependent)
	if dependent.Ref.Namespace != owner.Ref.Namespace && owner.Ref.Namespace != "" {
		evidence = append(evidence, t.invalidNamespaceEvents(ctx, dependent)...)
	}
	return append(evidence, t.Health.LeaseEvidence(ctx)...)
}

// undiscovered names owners of a dependent whose kinds nothing is known of, because discovery fails:
// while it does, the garbage collector may not be able to judge the dependent either.
func (t *Tools) undiscovered(ctx context.Context, dependent *Object) []finding.Evidence {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	var evidence []finding.Evidence
	for _, owner := range dependent.Meta.OwnerReferences {
		version := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupVersion()
		catalog.Ask(version.Group)
		if failure, failed := catalog.Failed[version]; failed {
			evidence = append(evidence, finding.Observed("discovery", "%s can't be discovered (%v), and another owner, %s %s, is of it: "+
				"the collector may be unable to judge it", version, failure, owner.Kind, owner.Name))
		}
	}
	return evidence
}
