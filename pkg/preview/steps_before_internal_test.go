package preview

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestStepsBefore keeps for each cause steps that resolve it, with what they cost, and none by force.
func TestStepsBefore(t *testing.T) {
	look := finding.Remedy{Step: "LookBeforeStopping"}
	stop := finding.Remedy{Step: "StopPod", Risk: finding.DataLoss}
	taint := finding.Remedy{Step: "MarkNodeOutOfService", Risk: finding.DataLoss}
	scale := finding.Remedy{Step: "ScaleDown", Risk: finding.Disruption}
	forget := finding.Remedy{Step: "ForgetPod", Risk: finding.DataLoss}
	remove := finding.Remedy{Step: "RemoveEntryOfController", Command: finding.Command{
		"kubectl", "finalizers", "remove", "cm/notes", "--force",
	}}
	for name, c := range map[string]struct{ steps, want []finding.Remedy }{
		"one that costs data":        {[]finding.Remedy{look, stop}, []finding.Remedy{look, stop}},
		"nothing else":               {[]finding.Remedy{stop, taint, forget}, []finding.Remedy{stop, taint}},
		"enough without":             {[]finding.Remedy{look, stop, scale}, []finding.Remedy{look, scale}},
		"force":                      {[]finding.Remedy{forget, remove}, nil},
		"the first of several costs": {[]finding.Remedy{look, stop, taint}, []finding.Remedy{look, stop}},
	} {
		got := stepsBefore(result.RootCause{Reason: finding.NodeNotReady, Remedies: c.steps})
		if !slices.EqualFunc(got, c.want, finding.Remedy.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
