package health

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const (
	// ofServers selects the Leases by which each kube-apiserver shows that it runs, renewed every 10 s (k8s v1.37
	// pkg/controlplane/apiserver/server.go:IdentityLeaseComponentLabelKey, IdentityLeaseRenewIntervalPeriod).
	ofServers = "apiserver.kubernetes.io/identity=kube-apiserver"
	// serverSilence is after how long without a renewal it can't be a delay.
	serverSilence = 30 * time.Second
	// together is how close the last renewals of kube-apiserver and kube-controller-manager are if one thing ended both.
	together = 30 * time.Second
)

// nothingStored answers where kube-controller-manager lost its Lease because no one can write: no kube-apiserver has
// renewed its own since then either, although one answers. A Lease that is left over from another time says nothing.
func (p *ControlPlane) nothingStored(
	ctx context.Context, lease *session.Object, manager *coordinationv1.Lease, renewal finding.Evidence,
) (session.Answer, bool) {
	if renewal.At == nil || Holder(manager) == "" {
		return session.Answer{}, false // it was given up, which is a write
	}
	latest, err := p.servers.Get(struct{}{}, func() (serverLease, error) { return p.lastServer(ctx) })
	if err != nil || latest.at.IsZero() {
		return session.Answer{}, false // without it, its own Lease alone counts, as ever
	}
	at := latest.at
	if p.session.Now().Sub(at) < serverSilence || at.Sub(*renewal.At).Abs() > together {
		return session.Answer{}, false
	}
	stalled := notHeld(lease, renewal, finding.Finding{
		Situation: "NothingStored",
		Details: finding.ControlPlaneDownDetails{
			RenewedAt: renewal.At, Server: &latest.ref, ServerRenewedAt: &at,
		},
		Remedies: []finding.Remedy{{
			Step:    "MakeStorageWritable",
			Command: p.session.Kubectl.Prefix(lease.Ref, "get", "pods", "-l", "component=etcd", "-o", "wide"),
		}},
	})
	for cause := range stalled.Blamed() {
		cause.Certainty = finding.Likely
		seen := latest.ref.Observed("renewed %s ago, due every 10s", p.session.Ago(at))
		cause.Evidence = append(cause.Evidence, seen.When(at))
	}
	return stalled, true
}

// serverLease is the Lease that a kube-apiserver renewed last; without a time, there is none.
type serverLease struct {
	ref finding.Ref
	at  time.Time
}

// lastServer looks for it. That an older recording doesn't have these Leases is no finding.
func (p *ControlPlane) lastServer(ctx context.Context) (latest serverLease, err error) {
	selector := cluster.Selector{Labels: ofServers}
	read := p.session.Reader.List
	if !p.session.Reader.Source().Changes() {
		read = p.session.Reader.Fresh().List
	}
	leases, err := read(ctx, cluster.Leases(), metav1.NamespaceSystem, selector)
	for i := range leases {
		lease, err := session.As[coordinationv1.Lease](&leases[i])
		if err != nil {
			return latest, err
		}
		if renewed, _ := Renewed(lease); renewed.After(latest.at) {
			at := session.Named(cluster.Leases(), lease.Namespace, lease.Name).Ref
			at.UID = string(lease.UID)
			latest = serverLease{ref: at, at: renewed}
		}
	}
	return latest, err
}
