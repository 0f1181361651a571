package attribution

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Due is a write that a controller owes by the catalogue, in the held object's namespace, before it removes a
// finalizer.
type Due struct {
	Verb     string
	Resource schema.GroupResource
	Creates  bool
	Why      finding.Evidence // that it is due
}

// blockedDuty is the answer for a controller that runs, if a write that it owes can't be made: RBAC does not let its
// account, or it would create something in a namespace that is being deleted. Words of its own say more than the
// latter. They don't say more than that it lacks a right: what it reports last may follow from that. What moves says
// more than both.
func blockedDuty(ctx context.Context, h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	reports := follows == isFailing && !seen.denied
	asks := follows == isUnknown || follows == isAtWork && seen.progress == mayMove || reports
	chosen := c != nil && c.account.Name != "" && !c.byNameOnly && !c.ofKindOnly && len(h.search.equals) == 0
	if !asks || !chosen || seen.found != Running || seen.unread || !h.object.Terminating() {
		return session.Answer{}, false
	}
	for _, due := range h.declared.Due {
		owed := rbac.Denial{
			Subject: c.sender(), Verb: due.Verb, Resource: due.Resource, Namespace: h.object.Ref.Namespace,
		}
		grants, err := h.search.finder.permissions(ctx)
		if err == nil && !c.allowed && !grants.Allows(owed) {
			denied := h.deniedRight(c, h.search.finder.deniedOf(ctx, owed), "", due.Why)
			if reports {
				denied.Evidence = append([]finding.Evidence{seen.said}, denied.Evidence...)
			}
			return session.Cause(denied), true
		}
		if due.Creates && !reports && isClosing(ctx, h.search.session, owed.Namespace) {
			return session.Cause(mustCreateInClosed(ctx, h, c, due, owed)), true
		}
	}
	return session.Answer{}, false
}

// isClosing reports whether a namespace is being deleted: nothing can be created in it, and no deletion is taken back.
func isClosing(ctx context.Context, reads *session.Session, name string) bool {
	if name == "" {
		return false
	}
	namespace, err := reads.Reader.Metadata(ctx, cluster.Namespaces(), "", name)
	return err == nil && namespace.DeletionTimestamp != nil
}

// mustCreateInClosed is the cause of a controller that owes a creation where nothing can be created any more.
func mustCreateInClosed(ctx context.Context, h *held, c *candidate, due Due, owed rbac.Denial) finding.Finding {
	closed := session.Named(cluster.Namespaces(), "", owed.Namespace).Ref
	cause := h.failing(c, "", due.Why)
	details, _ := cause.Details.(finding.ControllerDetails)
	right := h.search.finder.deniedOf(ctx, owed).Right
	details.Closed, details.Right = &closed, &right
	cause.Situation, cause.Details, cause.Certainty = "OwesCreationInClosed", details, finding.Likely
	cause.Key = finding.KeyOf(h.key("owes in closed", c), owed.Namespace)
	cause.Evidence = append(cause.Evidence, closed.Observed("Terminating, so that nothing can be created in it"))
	cause.Remedies = workInClosed(cause.Remedies, closed)
	return cause
}

// workInClosed replaces the step to fix what is reported: nothing makes a creation in a closed namespace succeed.
func workInClosed(remedies []finding.Remedy, closed finding.Ref) []finding.Remedy {
	return finding.Each(remedies, func(remedy finding.Remedy) finding.Remedy {
		if !finding.Is(remedy.Step, finding.FixesReported) {
			return remedy
		}
		return finding.Remedy{
			Step: "WorkInClosed", Details: finding.StepDetails{Object: &closed}, Risk: finding.NoRisk,
		}
	})
}
