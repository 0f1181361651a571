package facts

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// ControllerManager is the name of kube-controller-manager, of its Lease and of its field manager.
const ControllerManager = "kube-controller-manager"

// ControllerManagerDown tells whether kube-controller-manager is known to be down, and answers with
// that. Not knowing is not down.
func (w *World) ControllerManagerDown(ctx context.Context) (Answer, bool) {
	answer, alive := w.ControllerManagerAlive(ctx)
	return answer, !alive && len(answer.Open) == 0
}

// ControllerManagerAlive tells whether kube-controller-manager holds its Lease. If not, the answer
// says so, or says that it can't be told (deletion-mechanics M22).
func (w *World) ControllerManagerAlive(ctx context.Context) (Answer, bool) {
	lease := Named(cluster.Leases(), "kube-system", ControllerManager)
	read, err := w.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		return Open(Note{
			Message:  fmt.Sprintf("Whether %s runs can't be told: it has no %s here. Managed clusters hide it.", ControllerManager, lease.Ref),
			Awaited:  ControllerManager + ", of which no Lease is visible",
			Evidence: []graph.Evidence{{Source: lease.Ref.String(), Observed: "not found"}},
		}), false
	case err != nil:
		return Unread(lease.Ref.String(), err), false
	case LeaseLive(read, w.Now()):
		return Answer{}, true
	}
	lease.Ref.UID = string(read.UID)
	observed := "given up by its last holder"
	var at *time.Time
	if renewed := read.Spec.RenewTime; renewed != nil {
		at = &renewed.Time
		observed = fmt.Sprintf("last renewed %s ago, due every few seconds", w.Ago(renewed.Time))
	}
	down := Cause(graph.Cause{
		Reason: graph.ControlPlaneDown, Object: lease.Ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s is not running: its Lease %s was %s. The garbage collector and the controllers of namespaces, claims and volumes are part of it.", ControllerManager, lease.Ref.Path(), observed),
		Awaited:  fmt.Sprintf("%s, which is not running (its Lease was %s)", ControllerManager, observed),
		Evidence: []graph.Evidence{{Source: lease.Ref.String(), Observed: observed, Object: &lease.Ref, At: at}},
		Remedies: []graph.Remedy{{
			Action:  "Bring kube-controller-manager back; it then finishes by itself. On a self-managed cluster its pod is in kube-system.",
			Command: append(w.Kubectl.Prefix(lease.Ref), "get", "pods", "-l", "component="+ControllerManager, "-o", "wide"),
			Risk:    graph.NoRisk,
		}},
	})
	return Answer{Waits: []Wait{{Blocker: lease, ForAnswer: true, Otherwise: down}}}, false
}

// ControllerManagerUnread tells whether the Lease of kube-controller-manager can't be read, and answers
// with that. Where there is none, as managed clusters have it, nothing speaks against its running.
func (w *World) ControllerManagerUnread(ctx context.Context) (Answer, bool) {
	lease := Named(cluster.Leases(), "kube-system", ControllerManager)
	_, err := w.Lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return Answer{}, false
	}
	return Unread(lease.Ref.String(), err), true
}

// LeaseEvidence is what the controller manager's Lease says, for notes about a live one.
func (w *World) LeaseEvidence(ctx context.Context) []graph.Evidence {
	lease := Named(cluster.Leases(), "kube-system", ControllerManager)
	read, err := w.Lease(ctx, lease)
	if err != nil || read.Spec.RenewTime == nil {
		return nil
	}
	at := read.Spec.RenewTime.Time
	return []graph.Evidence{{Source: lease.Ref.String(), Observed: fmt.Sprintf("renewed %s ago", w.Ago(at)), Object: &lease.Ref, At: &at}}
}

// Lease reads a Lease.
func (w *World) Lease(ctx context.Context, lease *Object) (*coordinationv1.Lease, error) {
	whole, err := w.Reader.Get(ctx, lease.Resource, lease.Ref.Namespace, lease.Ref.Name)
	if err != nil {
		return nil, err
	}
	return As[coordinationv1.Lease](whole)
}

// LeaseLive tells whether somebody holds the Lease and has renewed it in time.
func LeaseLive(lease *coordinationv1.Lease, now time.Time) bool {
	spec := lease.Spec
	if spec.HolderIdentity == nil || *spec.HolderIdentity == "" || spec.RenewTime == nil || spec.LeaseDurationSeconds == nil {
		return false
	}
	return now.Sub(spec.RenewTime.Time) <= time.Duration(*spec.LeaseDurationSeconds)*time.Second
}

// Patience is how long a built-in controller may take before its silence means something
// (deletion-mechanics E-2).
const Patience = time.Minute

// GarbageCollector is the name of the garbage collector's ServiceAccount.
const GarbageCollector = "generic-garbage-collector"
