package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// awaitNamespaces continues at users that were not deleted, and whose namespace is being deleted: they go with it, so
// what holds the namespace is the cause, and no step for the user is. An object in that namespace is left out, which
// the namespace itself waits for, and so are pods, which a namespace deletes first. Where the namespace can't be read,
// the user is all that is known.
func awaitNamespaces(ctx context.Context, reads *session.Session, held Held, answer Answer) Answer {
	answer.Waits = slices.Clone(answer.Waits)
	for i, wait := range answer.Waits {
		user := wait.Blocker
		elsewhere := user.Ref.Namespace != held.Object.Ref.Namespace && !user.Is("", "Pod")
		if wait.ForAnswer || user.Terminating() || !elsewhere || !inUse(wait.Otherwise) {
			continue
		}
		if namespace, _ := namespaceOf(ctx, reads, user); namespace != nil && namespace.Terminating() {
			answer.Waits[i].Otherwise = Answer{Waits: []Wait{{Blocker: namespace}}}
		}
	}
	return answer
}

// inUse reports whether an answer says that the object is a user, and nothing else.
func inUse(answer Answer) bool {
	if len(answer.Causes) == 0 || len(answer.Waits)+len(answer.Open)+len(answer.Progress) > 0 {
		return false
	}
	return !slices.ContainsFunc(answer.Causes, func(cause Finding) bool { return cause.Reason != finding.StillInUse })
}
