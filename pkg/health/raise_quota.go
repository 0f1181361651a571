package health

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

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
	requested, limited := amounts(upTo(state.Words, "requested: ", " ")), amounts(upTo(state.Words, "limited: ", " "))
	hard := neededLimits(requested, amounts(upTo(state.Words, "used: ", " ")), limited)
	return raise(reads, state.By, hard, beyond(requested, limited))
}

// raise looks at a quota, and then raises its limits. alone tells that nothing that the quota counts can go instead,
// because what is requested is more than the quota allows altogether.
func raise(
	reads *session.Session, quota *finding.Ref, hard map[corev1.ResourceName]string, alone bool,
) []finding.Remedy {
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"hard": hard}})
	if len(hard) == 0 || err != nil {
		return nil
	}
	details := finding.StepDetails{Object: quota}
	see := finding.Remedy{Step: "SeeQuota", Details: details, Command: reads.Kubectl.CommandFor(*quota, "describe")}
	if alone {
		see.Step = "OnlySeeQuota"
	}
	return []finding.Remedy{see, {
		Step: "RaiseLimits", Details: details,
		Command: reads.Kubectl.CommandFor(*quota, "patch", "--type", "merge", "-p", string(patch)),
	}}
}

// neededLimits are the limits by which something fits that did not: what is used and what was requested, together.
func neededLimits(requested, used, limited corev1.ResourceList) map[corev1.ResourceName]string {
	needed := map[corev1.ResourceName]string{}
	for name, more := range requested {
		limit, known := limited[name]
		inUse, counted := used[name]
		if !known || !counted {
			continue
		}
		if more.Add(inUse); more.Cmp(limit) > 0 {
			needed[name] = more.String()
		}
	}
	return needed
}
