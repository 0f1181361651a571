package attribution

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// ofSibling reports whether what an event says is about other objects of the held object's kind, and not about that
// one: it names these as what failed, and not that. What uses the held object, is bound to it or is being deleted may
// be what its deletion waits for.
func ofSibling(ctx context.Context, h *held, words string) bool {
	if statuses.UsersNamed(words) != "" || statuses.Mentions(words, h.object.Ref.Name) {
		return false
	}
	kinds, found := h.search.session.ServedKinds(ctx).ByWord(), false
	statement := statuses.Statement{Words: statuses.FirstClause(words)}
	own := func(resource cluster.Resource) bool { return resource.GroupKind() == h.object.Resource.GroupKind() }
	for _, reference := range statement.Named(func(word string) bool {
		return slices.ContainsFunc(kinds[word], own)
	}) {
		namespace := cmp.Or(reference.Namespace, h.object.Ref.Namespace)
		if !reference.Near || cluster.CheckName(namespace, reference.Name) != nil {
			continue
		}
		sibling, err := h.search.session.Read(ctx, h.object.Resource, namespace, reference.Name)
		switch {
		case err == nil && h.object.Whole != nil && (sibling.Terminating() || related(ctx, h, sibling)):
			return false
		case err == nil, statement.SureOf(reference) > statuses.MayBeName:
			found = true
		}
	}
	return found
}

// related reports whether one of the held object and another names or owns the other one.
func related(ctx context.Context, h *held, other *session.Object) bool {
	if concerned(h.object, other) {
		return true
	}
	err := h.search.finder.ReadFields(ctx, other)
	return err != nil || other.Whole == nil || concerned(other, h.object)
}
