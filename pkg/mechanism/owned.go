package mechanism

import (
	"context"
	"fmt"
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
func (t *Tools) dependentsOf(ctx context.Context, owner *session.Object, wanted func(*session.Object) bool) ([]*session.Object, []cluster.Unlisted, error) {
	near := []session.Part{{Scope: session.Namespaced, Namespace: owner.Ref.Namespace}, {Scope: session.ClusterScoped}}
	found, unread, err := t.among(ctx, owner, near, wanted)
	everywhere := owner.Ref.Namespace == ""
	if err != nil || len(found) > 0 || everywhere || !t.Session.Deep && t.Session.Since(owner) < session.Patience {
		return found, unread, err
	}
	return t.among(ctx, owner, []session.Part{{Scope: session.Namespaced}, {Scope: session.ClusterScoped}}, wanted)
}

func (t *Tools) among(ctx context.Context, owner *session.Object, parts []session.Part, wanted func(*session.Object) bool) ([]*session.Object, []cluster.Unlisted, error) {
	dependents, unread, err := t.Session.DependentsIn(ctx, owner.Ref.UID, parts...)
	return slices.DeleteFunc(dependents, func(dependent *session.Object) bool { return !wanted(dependent) }), unread, err
}

// dependentsUnread answers when no dependent was seen and not every kind could be read. waits says
// what the owner does about its dependents.
func (t *Tools) dependentsUnread(object *session.Object, unread []cluster.Unlisted, waits string) session.Answer {
	names := session.NamesOf(unread)
	advice := ""
	if slices.ContainsFunc(unread, func(kind cluster.Unlisted) bool { return apierrors.IsForbidden(kind.Err) }) {
		advice = " Ask somebody who may read them to run the same command."
	}
	answer := session.Open(finding.Finding{
		Message:  fmt.Sprintf("%s %s. None was seen, but some kinds could not be read: %s.%s", object.Ref, waits, session.Some(names, 6), advice),
		Awaited:  fmt.Sprintf("a dependent of a kind that could not be read (%s)", session.Some(names, 3)),
		Evidence: []finding.Evidence{{Source: "owner references", Observed: "no such dependent among the kinds that could be read", Object: &object.Ref}},
	})
	answer.Remarks = unwatched(unread)
	return answer
}

// besidesUnread adds to an answer about dependents that were seen that there may be others: what goes on with the ones that
// were is not all there is to wait for. An answer that names a cause says enough.
func (t *Tools) besidesUnread(answer session.Answer, object *session.Object, unread []cluster.Unlisted, waits string) session.Answer {
	causes := len(answer.Causes) > 0 || slices.ContainsFunc(answer.Waits, func(wait session.Wait) bool { return len(wait.Otherwise.Causes) > 0 || len(wait.Otherwise.Waits) > 0 })
	if len(unread) == 0 || causes {
		return answer
	}
	others := t.dependentsUnread(object, unread, waits)
	others.Open[0].Message = strings.Replace(others.Open[0].Message, "None was seen, but some", "Besides those that were seen there may be others: some", 1)
	others.Open[0].Evidence = nil
	answer.Add(others)
	return answer
}

// unwatched remarks on kinds that the server itself can't list: the garbage collector can't watch
// them either, and doesn't wait for dependents that it has never seen (deletion-mechanics M02,
// "opposite surprise"; row A18).
func unwatched(unread []cluster.Unlisted) []finding.Finding {
	var broken []cluster.Unlisted
	for _, kind := range unread {
		if apierrors.IsInternalError(kind.Err) || apierrors.IsServiceUnavailable(kind.Err) || apierrors.IsTooManyRequests(kind.Err) {
			broken = append(broken, kind)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	names := session.Some(session.NamesOf(broken), 6)
	return []finding.Finding{{
		Message: fmt.Sprintf("The server fails to list %s, so the garbage collector may not see dependents of that kind either. It doesn't wait for what it can't see: such dependents stay behind and are dealt with only when they can be read again.", names),
		Awaited: "dependents that the garbage collector can't see either",
	}}
}
