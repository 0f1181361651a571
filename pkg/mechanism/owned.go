package mechanism

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// dependentsOf returns an owner's dependents of a sort. They are looked for in the owner's own
// namespace and among the cluster-scoped kinds; where none is there, in all other namespaces, but only
// when that is worth reading everything: somebody asked for it, or the owner should long have gone.
func (t *Tools) dependentsOf(
	ctx context.Context, owner *Object, wanted func(*Object) bool,
) ([]*Object, []cluster.Unlisted, error) {
	near := []session.Part{{Scope: session.Namespaced, Namespace: owner.Ref.Namespace}, {Scope: session.ClusterScoped}}
	found, unread, err := t.among(ctx, owner, near, wanted)
	everywhere := owner.Ref.Namespace == ""
	if err != nil || len(found) > 0 || everywhere || !t.Session.Deep && t.Session.Since(owner) < session.Patience {
		return found, unread, err
	}
	return t.among(ctx, owner, []session.Part{{Scope: session.Namespaced}, {Scope: session.ClusterScoped}}, wanted)
}

func (t *Tools) among(
	ctx context.Context, owner *Object, parts []session.Part, wanted func(*Object) bool,
) ([]*Object, []cluster.Unlisted, error) {
	dependents, unread, err := t.Session.DependentsIn(ctx, owner.Ref.UID, parts...)
	return slices.DeleteFunc(dependents, func(dependent *Object) bool { return !wanted(dependent) }), unread, err
}

// dependentsUnread answers when no dependent was seen and not every kind could be read. orphans says
// that the owner waits until none refers to it any more, not until they have gone.
func (t *Tools) dependentsUnread(object *Object, unread []cluster.Unlisted, orphans bool) Answer {
	refused := slices.ContainsFunc(unread, func(kind cluster.Unlisted) bool { return apierrors.IsForbidden(kind.Err) })
	about := finding.DependentsDetails{Kinds: session.NamesOf(unread), Orphans: orphans, Forbidden: refused}
	answer := session.Open(finding.Finding{
		Situation: "DependentKindsUnread", Object: object.Ref, Details: about, Key: unreadKinds(about),
		Evidence: []finding.Evidence{finding.Observed("owner references", "no such dependent among the kinds that could be read").Of(object.Ref)},
	})
	answer.Remarks = unwatched(unread)
	return answer
}

// unreadKinds is the key of kinds that could not be read: reading them settles all that rests on them.
func unreadKinds(about finding.DependentsDetails) string {
	return finding.KeyOf("DependentKindsUnread", strings.Join(about.Kinds, ","))
}

// besidesUnread adds to an answer about dependents that were seen that there may be others: they aren't all there is to
// wait for. An answer that names a cause says enough.
func (t *Tools) besidesUnread(answer Answer, object *Object, unread []cluster.Unlisted, orphans bool) Answer {
	causes := len(answer.Causes) > 0 || slices.ContainsFunc(answer.Waits, func(wait Wait) bool {
		return len(wait.Otherwise.Causes) > 0 || len(wait.Otherwise.Waits) > 0
	})
	if len(unread) == 0 || causes {
		return answer
	}
	others := t.dependentsUnread(object, unread, orphans)
	others.Open[0].Situation, others.Open[0].Evidence = "OtherDependentsUnread", nil
	answer.Add(others)
	return answer
}

// unwatched remarks on kinds that the server itself can't list: the garbage collector can't watch them either, and
// doesn't wait for dependents that it has never seen (deletion-mechanics M02, "opposite surprise"; row A18).
func unwatched(unread []cluster.Unlisted) []finding.Finding {
	var broken []cluster.Unlisted
	for _, kind := range unread {
		err := kind.Err
		if apierrors.IsInternalError(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsTooManyRequests(err) {
			broken = append(broken, kind)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	about := finding.DependentsDetails{Kinds: session.NamesOf(broken)}
	return []finding.Finding{{Situation: "DependentsUnwatched", Details: about, Key: "DependentsUnwatched"}}
}
