package facts

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// CloudManager is the name of cloud-controller-manager, and of its Lease.
const CloudManager = "cloud-controller-manager"

// CloudManagerLease looks at the cloud-controller-manager's Lease: held says that somebody is leading.
// There is an answer when nobody is, although somebody was, and when the Lease can't be read.
func (w *World) CloudManagerLease(ctx context.Context) (evidence graph.Evidence, answer Answer, held bool) {
	lease := Named(cluster.Leases(), "kube-system", CloudManager)
	evidence = graph.Evidence{Source: lease.Ref.String(), Observed: "not found"}
	read, err := w.Lease(ctx, lease)
	if apierrors.IsNotFound(err) {
		return evidence, Answer{}, false
	}
	if err != nil {
		return evidence, Unread(lease.Ref.String(), err), false
	}
	lease.Ref.UID = string(read.UID)
	evidence = graph.Evidence{Source: lease.Ref.String(), Observed: "given up by its last holder", Object: &lease.Ref}
	if renewed := read.Spec.RenewTime; renewed != nil {
		at := renewed.Time
		evidence.Observed, evidence.At = fmt.Sprintf("last renewed %s ago", w.Ago(at)), &at
	}
	if LeaseLive(read, w.Now()) {
		return evidence, Answer{}, true
	}
	return evidence, Answer{Waits: []Wait{{Blocker: lease, ForAnswer: true, Otherwise: Cause(graph.Cause{
		Reason: graph.ControlPlaneDown, Object: lease.Ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s is not running: its Lease %s was %s. It deletes the load balancers of Services.", CloudManager, lease.Ref.Path(), evidence.Observed),
		Awaited:  fmt.Sprintf("%s, which is not running (its Lease was %s)", CloudManager, evidence.Observed),
		Evidence: []graph.Evidence{evidence},
		Remedies: []graph.Remedy{{
			Action:  "Bring cloud-controller-manager back; it then finishes by itself. Where it runs in this cluster, its pods are in kube-system.",
			Command: append(w.Kubectl.Prefix(lease.Ref), "get", "daemonsets,deployments,pods", "-o", "wide"),
			Risk:    graph.NoRisk,
		}},
	})}}}, false
}
