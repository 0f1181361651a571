package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// withSiblings makes a proven absence a likely one if a program acts on other objects of the kind: RBAC isn't all that
// may let a program write, and what runs outside the cluster shows in what it does.
func (h *held) withSiblings(ctx context.Context, cause finding.Finding) finding.Finding {
	if cause.Certainty != finding.Proven || h.search.criteria.kindOfKubernetes() {
		return cause
	}
	siblings, err := h.search.finder.siblings.Get(session.RowKey(h.object.Resource, h.object.Ref.Namespace, ""),
		func() ([]*session.Object, error) {
			return h.search.session.List(ctx, h.object.Resource, h.object.Ref.Namespace)
		})
	switch {
	case cluster.NotRecorded(err): // who recorded it saw none
		return cause
	case err != nil:
		cause.Certainty = finding.Likely
		cause.Evidence = append(cause.Evidence, finding.Observed(h.object.Resource.QualifiedName(),
			"could not be listed, so it is not clear whether a controller works on other objects of this kind"))
		return cause
	}
	for _, sibling := range siblings {
		if sibling.Ref.UID == h.object.Ref.UID {
			continue
		}
		written := writers.StatusWritten(sibling.Meta.ManagedFields)
		writes := append(writers.Setters(sibling.Meta, h.hold.Name), writers.Setter{
			Manager: written.Manager, At: written.At, ByHand: writers.WritesManifests(written.Manager),
		})
		if at := slices.IndexFunc(writes, h.writes().actsNow); at >= 0 {
			cause.Certainty = finding.Likely
			cause.Evidence = append(cause.Evidence, sibling.Ref.Observed(
				"%s wrote its status or this finalizer %s ago, so it may still run, here or outside the cluster",
				writes[at].Manager, h.search.session.Ago(writes[at].At)).When(writes[at].At))
			break
		}
	}
	return cause
}

// actsNow reports whether a program has written since the held object was deleted, or in that second, and not long ago.
func (w writes) actsNow(by writers.Setter) bool {
	return !by.At.IsZero() && !by.ByHand && !by.Copied() && !by.At.Before(w.object.RequestedAt()) &&
		w.search.session.Now().Sub(by.At) < signs.RecentWrite
}
