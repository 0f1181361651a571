package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Border knows which other clusters are at hand, and which of them may be asked. It asks none by itself.
type Border interface {
	// Lead returns which clusters at hand fit what an object of the cluster that is asked says of another one.
	Lead(sought contexts.Sought) contexts.Leading
	// May reports whether the user has named a cluster: no other one is ever asked.
	May(chosen contexts.Chosen) bool
	// Cross returns the tools that ask a cluster, and the context that ends when its time is over. A cluster is connected
	// to once.
	Cross(ctx context.Context, name string) (*Tools, context.Context, error)
	// Kubectl writes commands that lead to a cluster at hand.
	Kubectl(name string) session.Kubectl
	// Asked are the clusters that were asked, and what became of that.
	Asked() []result.Cluster
}
