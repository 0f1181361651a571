package attribution

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// widen is how to have an instance act on the held object, too: the first that its template limits.
func widen(h *held) []finding.Remedy {
	for _, one := range h.search.elsewhere {
		if one.candidate.workload == nil || one.limit.Setting == "" || one.limit.ByClasses() || one.limit.Home ||
			one.limit.Own {
			continue
		}
		name, _, _ := strings.Cut(one.limit.Setting, "=")
		details := finding.StepDetails{Object: &one.workload, Name: name}
		if !one.limit.Off && !one.limit.ByShare() && !one.limit.ByTrait() {
			details.Text = h.object.Ref.Namespace
		}
		edited := one.workload
		if one.limit.ConfigMap != "" {
			edited = session.Named(cluster.ConfigMaps(), one.workload.Namespace, one.limit.ConfigMap).Ref
			details.Other = &edited
		}
		step := finding.Remedy{Step: "WidenScope", Risk: finding.NoRisk, Details: details}
		if step.Command = h.search.session.Kubectl.CommandFor(edited, "edit"); one.limit.Except {
			step.Step = "TakeOutOfException"
		}
		return []finding.Remedy{step}
	}
	return nil
}
