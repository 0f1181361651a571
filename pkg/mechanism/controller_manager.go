package mechanism

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

const controllerManager = "kube-controller-manager"

// controllerManagerDown tells whether kube-controller-manager is known to be down, and answers with
// that. Not knowing is not down.
func (w *World) controllerManagerDown(ctx context.Context) (Answer, bool) {
	answer, alive := w.controllerManagerAlive(ctx)
	return answer, !alive && len(answer.Open) == 0
}

// CollectorDown tells whether the garbage collector is known to be down, and answers with that.
func (w *World) CollectorDown(ctx context.Context) (Answer, bool) {
	return w.controllerManagerDown(ctx)
}

// controllerManagerAlive tells whether kube-controller-manager holds its Lease. If not, the answer
// says so, or says that it can't be told (deletion-mechanics M22).
func (w *World) controllerManagerAlive(ctx context.Context) (Answer, bool) {
	lease := Named(cluster.Leases(), "kube-system", controllerManager)
	read, err := w.lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		return open(Note{
			Message:  fmt.Sprintf("Whether %s runs can't be told: it has no %s here. Managed clusters hide it.", controllerManager, lease.Ref),
			Awaited:  controllerManager + ", of which no Lease is visible",
			Evidence: []graph.Evidence{{Source: lease.Ref.String(), Observed: "not found"}},
		}), false
	case err != nil:
		return unread(lease.Ref.String(), err), false
	case leaseLive(read, w.Now()):
		return Answer{}, true
	}
	lease.Ref.UID = string(read.UID)
	observed := "given up by its last holder"
	var at *time.Time
	if renewed := read.Spec.RenewTime; renewed != nil {
		at = &renewed.Time
		observed = fmt.Sprintf("last renewed %s ago, due every few seconds", w.ago(renewed.Time))
	}
	down := cause(graph.Cause{
		Reason: graph.ControlPlaneDown, Object: lease.Ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s is not running: its Lease %s was %s. The garbage collector and the controllers of namespaces, claims and volumes are part of it.", controllerManager, lease.Ref.Path(), observed),
		Awaited:  fmt.Sprintf("%s, which is not running (its Lease was %s)", controllerManager, observed),
		Evidence: []graph.Evidence{{Source: lease.Ref.String(), Observed: observed, Object: &lease.Ref, At: at}},
		Remedies: []graph.Remedy{{
			Action:  "Bring kube-controller-manager back; it then finishes by itself. On a self-managed cluster its pod is in kube-system.",
			Command: quote(append(w.Kubectl.prefix(lease.Ref), "get", "pods", "-l", "component="+controllerManager, "-o", "wide")),
			Risk:    graph.NoRisk,
		}},
	})
	return Answer{Waits: []Wait{{Blocker: lease, ForAnswer: true, Otherwise: down}}}, false
}

// controllerManagerUnread tells whether the Lease of kube-controller-manager can't be read, and answers
// with that. Where there is none, as managed clusters have it, nothing speaks against its running.
func (w *World) controllerManagerUnread(ctx context.Context) (Answer, bool) {
	lease := Named(cluster.Leases(), "kube-system", controllerManager)
	_, err := w.lease(ctx, lease)
	if err == nil || apierrors.IsNotFound(err) {
		return Answer{}, false
	}
	return unread(lease.Ref.String(), err), true
}

// progressUnless is progress that kube-controller-manager makes. Where its Lease can't be read, or
// what may refuse its requests, it is open whether it does.
func (w *World) progressUnless(ctx context.Context, refused refusals, note Note) Answer {
	doubt := ""
	if _, failed := w.controllerManagerUnread(ctx); failed {
		doubt = fmt.Sprintf("whether %s runs to do so could not be read", controllerManager)
	} else if len(refused.unsure) > 0 {
		doubt = unreadRefusal
	}
	if doubt == "" {
		return progress(note)
	}
	return open(doubted(note, doubt, refused.unsure))
}

// leaseEvidence is what the controller manager's Lease says, for notes about a live one.
func (w *World) leaseEvidence(ctx context.Context) []graph.Evidence {
	lease := Named(cluster.Leases(), "kube-system", controllerManager)
	read, err := w.lease(ctx, lease)
	if err != nil || read.Spec.RenewTime == nil {
		return nil
	}
	at := read.Spec.RenewTime.Time
	return []graph.Evidence{{Source: lease.Ref.String(), Observed: fmt.Sprintf("renewed %s ago", w.ago(at)), Object: &lease.Ref, At: &at}}
}

func (w *World) lease(ctx context.Context, lease *Object) (*coordinationv1.Lease, error) {
	whole, err := w.Reader.Get(ctx, lease.Resource, lease.Ref.Namespace, lease.Ref.Name)
	if err != nil {
		return nil, err
	}
	return as[coordinationv1.Lease](whole)
}

// leaseLive tells whether somebody holds the Lease and has renewed it in time.
func leaseLive(lease *coordinationv1.Lease, now time.Time) bool {
	spec := lease.Spec
	if spec.HolderIdentity == nil || *spec.HolderIdentity == "" || spec.RenewTime == nil || spec.LeaseDurationSeconds == nil {
		return false
	}
	return now.Sub(spec.RenewTime.Time) <= time.Duration(*spec.LeaseDurationSeconds)*time.Second
}
