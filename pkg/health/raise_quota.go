package health

import (
	"encoding/json"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// raiseQuota raises the limits of a ResourceQuota that refused a pod so far that the pod fits. It is computed from what
// was said when the quota refused; without amounts in it, it is not.
func raiseQuota(reads *session.Session, refused finding.Phrase) (step finding.Remedy, computed bool) {
	state, _ := refused.Details.(finding.WorkloadState)
	if state.By == nil || state.By.Kind != "ResourceQuota" {
		return step, false
	}
	hard := neededLimits(upTo(state.Words, "requested: ", " "), upTo(state.Words, "used: ", " "),
		upTo(state.Words, "limited: ", " "))
	if len(hard) == 0 {
		return step, false
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"hard": hard}})
	if err != nil {
		return step, false
	}
	return finding.Remedy{
		Step: "RaiseLimits", Details: finding.StepDetails{Object: state.By},
		Command: reads.Kubectl.CommandFor(*state.By, "patch", "--type", "merge", "-p", string(patch)),
	}, true
}

// seeQuota is the step before that: it only looks. It is made of the one that there is where nothing can be computed.
func seeQuota(only finding.Remedy) finding.Remedy {
	if only.Step == "OnlyRaiseQuota" {
		only.Step = "OnlySeeQuota"
	} else {
		only.Step = "SeeQuota"
	}
	return only
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
