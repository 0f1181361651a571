package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
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
	return readSiblings(ctx, h.search.finder, h.object)
}

// readSiblings reads a custom resource whole, with all of its kind in its namespace, if these aren't too many
// namespaces.
func readSiblings(ctx context.Context, f *Finder, object *session.Object) error {
	if object.Whole != nil {
		return nil
	}
	const few = 8
	place := object.Resource.String() + " " + object.Ref.Namespace
	f.mu.Lock()
	known := f.read[place]
	if !known && len(f.read) < few {
		f.read[place], known = true, true
	}
	f.mu.Unlock()
	if !known {
		return nil
	}
	list, err := f.Session.Reader.List(ctx, object.Resource, object.Ref.Namespace, cluster.Selector{})
	for i := range list {
		if string(list[i].GetUID()) == object.Ref.UID {
			object.Whole = &list[i]
		}
	}
	return err
}
