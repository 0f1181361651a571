package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// unexplained returns the last program that wrote the finalizer or the status, where RBAC doesn't explain how it
// could: nobody may write the kind, or those who may go by another name and it wrote after the deletion. Its
// rights may have gone with it. It may as well run outside the cluster with an administrator's credentials,
// which no role shows; so that nobody is to be found proves nothing.
func (h *held) unexplained() (controller.Written, bool) {
	last := h.lastProgram()
	switch {
	case last.At.IsZero(), h.foreign(): // many may write that kind
		return last, false
	case len(h.gone) == 0:
		return last, true
	case !last.At.After(h.object.RequestedAt()) || !(controller.Setter{Manager: last.Manager}).Concrete():
		return last, false
	}
	return last, !slices.ContainsFunc(h.gone, func(c *candidate) bool {
		return controller.Mentions(last.Manager, c.account.Name) || controller.Mentions(c.account.Name, last.Manager)
	})
}

// lastProgram is the last write to the finalizer or the status by a program that is neither a tool of people
// nor a part of the control plane.
func (h *held) lastProgram() (last controller.Written) {
	consider := func(written controller.Written) {
		manual := (controller.Setter{Manager: written.Manager}).Manual()
		if written.At.After(last.At) && !manual && !strings.HasPrefix(written.Manager, "kube-") {
			last = written
		}
	}
	for _, setter := range h.setters {
		consider(controller.Written{Manager: setter.Manager, At: setter.At})
	}
	if h.theirs(h.status.Manager) {
		consider(h.status)
	}
	return last
}

// unexplainedEvidence is the evidence of such a writer.
func (h *held) unexplainedEvidence() []finding.Evidence {
	last, found := h.unexplained()
	if !found {
		return nil
	}
	observed := fmt.Sprintf("%s wrote last, %s ago, and nothing in RBAC tells as whom: its rights may be gone since, or"+
		" be an administrator's, as a controller outside the cluster may have", last.Manager, h.session.Ago(last.At))
	return []finding.Evidence{{Source: "managedFields", Object: &h.object.Ref, At: &last.At, Observed: observed}}
}
