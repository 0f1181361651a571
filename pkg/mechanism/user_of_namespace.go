package mechanism

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// awaitNamespaces continues at users that were not deleted, and whose namespace is being deleted: they go with it, so
// what holds the namespace is the cause, and no step for the user is. An object in that namespace is left out, which
// the namespace itself waits for, and so are pods, which a namespace deletes first. Where the namespace can't be read,
// it isn't clear that the user stays; an older recording that lacks the namespace says nothing of it.
func awaitNamespaces(ctx context.Context, reads *session.Session, held Held, answer Answer) Answer {
	answer.Waits = slices.Clone(answer.Waits)
	for i, wait := range answer.Waits {
		user := wait.Blocker
		elsewhere := user.Ref.Namespace != held.Object.Ref.Namespace && !user.Is("", "Pod")
		if wait.ForAnswer || user.Terminating() || !elsewhere || !inUse(wait.Otherwise) {
			continue
		}
		name := user.Ref.Namespace
		if name == "" {
			continue
		}
		namespace, err := reads.Read(ctx, cluster.Namespaces(), "", name)
		switch {
		case err == nil && namespace.Terminating():
			answer.Waits[i].Otherwise = Answer{Waits: []Wait{{Blocker: namespace}}}
		case err != nil && !apierrors.IsNotFound(err) && !cluster.NotRecorded(err):
			unread := session.Named(cluster.Namespaces(), "", name).Ref
			answer.Waits[i].Otherwise = session.Unread(finding.UnreadObject(unread), err)
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
