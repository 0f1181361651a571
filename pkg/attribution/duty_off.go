package attribution

import (
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// dutyOff is the cause where a program would act on the held object, and its own settings switch that off: nothing else
// does. It answers false where no program is known to be so.
func dutyOff(h *held) (session.Answer, bool) {
	if len(h.search.gone) > 0 {
		return session.Answer{}, false
	}
	for _, one := range h.search.elsewhere {
		workload := one.candidate.workload
		if !one.limit.Off || workload == nil {
			continue
		}
		cause := h.cause(finding.ReconciliationPaused, nil, widen(h))
		name, value, _ := strings.Cut(one.limit.Setting, "=")
		cause.Situation, cause.Object = "DutySwitchedOff", one.workload
		cause.Details = finding.SwitchDetails{Field: name, Value: value, Held: h.object.Ref}
		cause.Key = finding.KeyOf("duty off", one.workload, one.limit.Setting, h.hold.Name)
		wait := session.Wait{Blocker: workload, ForAnswer: true, Otherwise: session.Cause(cause)}
		return session.Answer{Waits: []session.Wait{wait}}, true
	}
	return session.Answer{}, false
}
