package finalizers

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/uninstall"
)

// UninstallOptions say which operator is meant: by one of Object, Manifests, Release and Project.
type UninstallOptions struct {
	// Object is a workload of the operator, or a namespace with all that runs in it. For a definition, the plan is for
	// that alone, and the operator stays.
	Object *Target
	// Manifests are the objects that were installed. The ones that are gone are left out.
	Manifests []Target
	// Release is the name of a release of Helm, or of an operator of the Operator Lifecycle Manager.
	Release string
	// Namespace is where the release was installed; empty is any.
	Namespace string
	// Project is one of the catalogue, as that spells it.
	Project string
}

// Uninstall plans the order in which an operator can go without leaving anything stuck. It is an error if it is not
// known what there is in the cluster, or if the object is not found. What else can't be read is part of the plan.
func (c *Cluster) Uninstall(ctx context.Context, options UninstallOptions) (*result.UninstallPlan, error) {
	return uninstall.Plan(ctx, c.reader, uninstall.Options{
		Options: c.options, Object: options.Object, Manifests: options.Manifests, Release: options.Release,
		Namespace: options.Namespace, Project: options.Project,
	})
}
