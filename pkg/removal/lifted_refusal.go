package removal

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
)

// noteLifted looks for what refused a dry run. Where that is gone from the cluster, the API server hasn't learned of it
// yet: it takes the admission configuration from a cache, and compiles policies once per second (k8s v1.37
// apiserver/pkg/admission/plugin/policy/generic/policy_source.go:Run).
func (r *Remover) noteLifted(ctx context.Context, tried ...*step) {
	for _, planned := range tried {
		planned.lifted = nil
		if planned.tryError == nil {
			continue
		}
		refusals := r.tools().Refusals
		for _, denial := range admission.Refusals(planned.tryError.Error()) {
			if planned.lifted = refusals.Lifted(ctx, denial); planned.lifted == nil {
				break // this one holds
			}
		}
	}
}
