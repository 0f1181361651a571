package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// closedTo is the answer for a controller that reports that it can't create what it needs for the cleanup, because the
// namespace for it is being deleted: no deletion is taken back, so each further attempt fails, too.
func closedTo(ctx context.Context, h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	name := statuses.ClosedTo(seen.words)
	if follows != isFailing || name == "" {
		return session.Answer{}, false
	}
	if !isClosing(ctx, h.search.session, name) {
		return session.Answer{}, false
	}
	closed := session.Named(cluster.Namespaces(), "", name).Ref
	cause := h.failing(c, seen.words, seen.said)
	details, _ := cause.Details.(finding.ControllerDetails)
	details.Closed = &closed
	cause.Situation, cause.Details, cause.Certainty = "CreatesInClosed", details, finding.Proven
	cause.Key = finding.KeyOf(h.key("closed", c), name)
	cause.Evidence = append(cause.Evidence, closed.Observed("Terminating, so that nothing can be created in it"))
	cause.Remedies = workInClosed(cause.Remedies, closed)
	return session.Cause(cause), true
}
