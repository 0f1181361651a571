package audit

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// checkControlPlane finds that kube-controller-manager is down: no namespace is deleted without it, whatever is in it.
// Where objects wait for it because of their finalizers, their findings say so.
func (c *checker) checkControlPlane(ctx context.Context) {
	answer, down := c.tools.Health.ControlPlane.ControllerManagerOverdue(ctx)
	if !down {
		return
	}
	for cause := range answer.AllCauses() {
		if !c.blames(cause.Object) {
			c.addCause(*cause)
		}
	}
}

// blames reports whether an object is the cause of something that was found.
func (c *checker) blames(object finding.Ref) bool {
	for _, one := range c.found {
		if one.cause != nil && one.cause.Object.SameAs(object) {
			return true
		}
	}
	return false
}
