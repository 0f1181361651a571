package attribution

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// keepBeforeStart is the step that comes before all that has a controller act again, by the catalogue: what it deletes
// then, and the setting by which it leaves that alone. Where the project has none, what it would delete stays if the
// finalizer is removed by force. There is no such step for an object that has the setting.
func keepBeforeStart(h *held) []finding.Remedy {
	known := h.search.criteria.known
	if known == nil || known.Deletes == "" && known.Rescue == nil {
		return nil
	}
	whole := h.object.Whole
	details := finding.StepDetails{Object: &h.object.Ref, Name: known.RemovedBy, Text: known.Deletes}
	keep := finding.Remedy{Step: "KeepBeforeStart", Details: details, Risk: finding.NoRisk}
	var setting plugins.Setting
	suits := false
	if known.Rescue != nil && whole != nil { // which setting suits, and whether it is made, is in what was read
		setting, suits = plugins.Suiting(known.Rescue.Keep, whole.Object)
	}
	switch {
	case suits && setting.MadeIn(whole.Object):
		return nil
	case suits:
		keep.Command = h.search.session.Kubectl.Command(h.object, "patch", "--type", "merge", "-p", setting.Patch)
	case known.Deletes == "":
		return nil
	default:
		keep.Step = "KeepByForce"
	}
	return []finding.Remedy{keep}
}
