package health

import (
	"encoding/json"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// raiseQuota looks at a ResourceQuota that refused a pod, and then raises its limits so far that the pod fits. That is
// computed from what was said when the quota refused: there are no steps where no amounts are in it.
func raiseQuota(reads *session.Session, refused finding.Phrase) []finding.Remedy {
	state, _ := refused.Details.(finding.WorkloadState)
	if state.By == nil || state.By.Kind != "ResourceQuota" {
		return nil
	}
	requested, limited := upTo(state.Words, "requested: ", " "), upTo(state.Words, "limited: ", " ")
	hard := neededLimits(requested, upTo(state.Words, "used: ", " "), limited)
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"hard": hard}})
	if len(hard) == 0 || err != nil {
		return nil
	}
	details := finding.StepDetails{Object: state.By}
	see := finding.Remedy{Step: "SeeQuota", Details: details, Command: reads.Kubectl.CommandFor(*state.By, "describe")}
	if beyond(requested, limited) {
		see.Step = "OnlySeeQuota"
	}
	return []finding.Remedy{see, {
		Step: "RaiseLimits", Details: details,
		Command: reads.Kubectl.CommandFor(*state.By, "patch", "--type", "merge", "-p", string(patch)),
	}}
}

// neededLimits are the limits by which something fits that did not: what is used and what was requested, together.
func neededLimits(requested, used, limited string) map[string]string {
	before, most, needed := amounts(used), amounts(limited), map[string]string{}
	for name, more := range amounts(requested) {
		limit, known := most[name]
		inUse, counted := before[name]
		if !known || !counted {
			continue
		}
		if more.Add(inUse); more.Cmp(limit) > 0 {
			needed[name] = more.String()
		}
	}
	return needed
}
