package blockers

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// falling is the answer where a controller that runs has reported nothing, and fewer of the objects that belong to the
// held one are left at a second look: that is its work.
func (d *descent) falling(
	ctx context.Context, said session.Answer, hold finding.Hold, controller fares,
) session.Answer {
	if d.survey == nil || controller.by == nil || len(said.Progress) > 0 {
		return said
	}
	evidence, falls := d.session.Falls(ctx, d.survey.Owned(d.object.Ref.UID), session.Deleted)
	if !falls {
		return said
	}
	evidence.Observed += ", of the objects that belong to it"
	return session.Progress(finding.Finding{
		Situation: "ControllerAtWork", Object: d.object.Ref, Finalizer: hold.Name, Evidence: []finding.Evidence{evidence},
		Details: finding.ControllerDetails{Controller: controller.by},
	})
}
