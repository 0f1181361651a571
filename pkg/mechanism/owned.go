package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// dependentsOf returns an owner's dependents of a sort. They are looked for in the owner's own
// namespace and among the cluster-scoped kinds; where none is there, in all other namespaces, but only
// when that is worth reading everything: somebody asked for it, or the owner should long have gone.
func (w *World) dependentsOf(ctx context.Context, owner *facts.Object, wanted func(*facts.Object) bool) ([]*facts.Object, []cluster.Unlisted, error) {
	near := []facts.Part{{Scope: facts.Namespaced, Namespace: owner.Ref.Namespace}, {Scope: facts.ClusterScoped}}
	found, unread, err := w.among(ctx, owner, near, wanted)
	everywhere := owner.Ref.Namespace == ""
	if err != nil || len(found) > 0 || everywhere || !w.Deep && w.Since(owner) < facts.Patience {
		return found, unread, err
	}
	return w.among(ctx, owner, []facts.Part{{Scope: facts.Namespaced}, {Scope: facts.ClusterScoped}}, wanted)
}

func (w *World) among(ctx context.Context, owner *facts.Object, parts []facts.Part, wanted func(*facts.Object) bool) ([]*facts.Object, []cluster.Unlisted, error) {
	dependents, unread, err := w.DependentsIn(ctx, owner.Ref.UID, parts...)
	return slices.DeleteFunc(dependents, func(dependent *facts.Object) bool { return !wanted(dependent) }), unread, err
}

// dependentsUnread answers when no dependent was seen and not every kind could be read. waits says
// what the owner does about its dependents.
func (w *World) dependentsUnread(object *facts.Object, unread []cluster.Unlisted, waits string) facts.Answer {
	names := facts.NamesOf(unread)
	advice := ""
	if slices.ContainsFunc(unread, func(kind cluster.Unlisted) bool { return apierrors.IsForbidden(kind.Err) }) {
		advice = " Ask somebody who may read them to run the same command."
	}
	answer := facts.Open(facts.Note{
		Message:  fmt.Sprintf("%s %s. None was seen, but some kinds could not be read: %s.%s", object.Ref, waits, facts.Some(names, 6), advice),
		Awaited:  fmt.Sprintf("a dependent of a kind that could not be read (%s)", facts.Some(names, 3)),
		Evidence: []graph.Evidence{{Source: "owner references", Observed: "no such dependent among the kinds that could be read", Object: &object.Ref}},
	})
	answer.Remarks = unwatched(unread)
	return answer
}

// besidesUnread adds to an answer about dependents that were seen that there may be others: what goes on with the ones that
// were is not all there is to wait for. An answer that names a cause says enough.
func (w *World) besidesUnread(answer facts.Answer, object *facts.Object, unread []cluster.Unlisted, waits string) facts.Answer {
	causes := len(answer.Causes) > 0 || slices.ContainsFunc(answer.Waits, func(wait facts.Wait) bool { return len(wait.Otherwise.Causes) > 0 || len(wait.Otherwise.Waits) > 0 })
	if len(unread) == 0 || causes {
		return answer
	}
	others := w.dependentsUnread(object, unread, waits)
	others.Open[0].Message = strings.Replace(others.Open[0].Message, "None was seen, but some", "Besides those that were seen there may be others: some", 1)
	others.Open[0].Evidence = nil
	answer.Add(others)
	return answer
}

// unwatched remarks on kinds that the server itself can't list: the garbage collector can't watch
// them either, and doesn't wait for dependents that it has never seen (deletion-mechanics M02,
// "opposite surprise"; row A18).
func unwatched(unread []cluster.Unlisted) []facts.Note {
	var broken []cluster.Unlisted
	for _, kind := range unread {
		if apierrors.IsInternalError(kind.Err) || apierrors.IsServiceUnavailable(kind.Err) || apierrors.IsTooManyRequests(kind.Err) {
			broken = append(broken, kind)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	names := facts.Some(facts.NamesOf(broken), 6)
	return []facts.Note{{
		Message: fmt.Sprintf("The server fails to list %s, so the garbage collector may not see dependents of that kind either. It doesn't wait for what it can't see: such dependents stay behind and are dealt with only when they can be read again.", names),
		Awaited: "dependents that the garbage collector can't see either",
	}}
}
