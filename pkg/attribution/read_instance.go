package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// instance returns the held object whole, unless it is live: then its status tells nothing yet. Many of one kind in one
// namespace are read in one request, and not in more than a few namespaces. It answers false where it can't be read.
func (h *held) instance(ctx context.Context) bool {
	if err := h.readInstance(ctx); err != nil {
		return h.search.cannot(finding.Unread{Object: &h.object.Ref}, err)
	}
	return true
}

func (h *held) readInstance(ctx context.Context) error {
	if h.object.Whole != nil || secretive(h.object) || !h.object.Terminating() ||
		h.search.criteria.kindOfKubernetes() && h.search.criteria.known == nil {
		return nil
	}
	if cluster.ServedByKubernetes(h.object.Resource.Group) {
		return h.search.finder.ReadFields(ctx, h.object)
	}
	const few = 8
	place := h.object.Resource.String() + " " + h.object.Ref.Namespace
	h.search.finder.mu.Lock()
	known := h.search.finder.read[place]
	if !known && len(h.search.finder.read) < few {
		h.search.finder.read[place], known = true, true
	}
	h.search.finder.mu.Unlock()
	if !known {
		return nil
	}
	list, err := h.search.session.Reader.List(ctx, h.object.Resource, h.object.Ref.Namespace, cluster.Selector{})
	for i := range list {
		if string(list[i].GetUID()) == h.object.Ref.UID {
			h.object.Whole = &list[i]
		}
	}
	return err
}
