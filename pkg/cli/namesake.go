package cli

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// namesake is the workload of another kind that has the name of a workload which isn't there, as TYPE/NAME: people take
// a StatefulSet for a Deployment.
func namesake(ctx context.Context, c *connection, target session.Target) string {
	ctx, cancel := context.WithTimeout(ctx, suggestionPatience)
	defer cancel()
	kinds := []cluster.Resource{cluster.Deployments(), cluster.StatefulSets(), cluster.DaemonSets()}
	is := func(kind cluster.Resource) bool { return kind.GroupResource() == target.Resource.GroupResource() }
	if !slices.ContainsFunc(kinds, is) {
		return ""
	}
	for _, kind := range kinds {
		if is(kind) {
			continue
		}
		if _, err := c.reader.Metadata(ctx, kind, target.Namespace, target.Name); err == nil {
			return kind.QualifiedName() + "/" + target.Name
		}
	}
	return ""
}
