package diagnosis

import (
	"cmp"
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unreadable lists every read that failed and every group of which nothing is known and something would matter, once each.
func (r *run) unreadable(ctx context.Context) []report.Unreadable {
	list := []report.Unreadable{}
	for _, failure := range r.world.Session.Reader.Failures() {
		list = append(list, report.Unreadable{
			Resource: failure.Resource, Namespace: failure.Namespace, Name: failure.Name, Error: failure.Err.Error(), Why: why(failure.Err),
		})
	}
	if catalog, err := r.world.Session.Reader.Catalog(ctx); err == nil {
		for _, node := range r.graph.Nodes() {
			catalog.Ask(node.Ref.Group())
		}
		for _, version := range catalog.Missed() {
			list = append(list, report.Unreadable{Resource: "*." + version.String(), Error: catalog.Failed[version].Error(), Why: "its discovery fails"})
		}
	}
	slices.SortFunc(list, func(a, b report.Unreadable) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	// Sorted, what failed for all namespaces comes first and covers each of them.
	return slices.CompactFunc(list, func(a, b report.Unreadable) bool {
		return a.Resource == b.Resource && a.Name == b.Name && (a.Namespace == b.Namespace || b.Namespace == "")
	})
}

// why puts a failed read into a word or two.
func why(err error) string {
	var timeout interface{ Timeout() bool }
	var probe *cluster.ProbeError
	if errors.As(err, &probe) {
		return "the dry run: " + why(probe.Err)
	}
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "forbidden"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case session.StorageDamaged(err):
		return "what is stored can't be read"
	case apierrors.IsTooManyRequests(err):
		return "the server is too busy"
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	case cluster.NotRecorded(err):
		return "not recorded"
	}
	return "failed"
}
