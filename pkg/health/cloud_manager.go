package health

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// CloudManagerHome is the namespace of a cloud-controller-manager and its Lease: on OpenShift, its operator's
// (github.com/openshift/cluster-cloud-controller-manager-operator, README).
func CloudManagerHome(ctx context.Context, reads *session.Session) string {
	openShift := schema.GroupResource{Group: "config.openshift.io", Resource: "clusteroperators"}
	if _, served := reads.ServedKinds(ctx).Find(openShift); served {
		return "openshift-cloud-controller-manager"
	}
	return metav1.NamespaceSystem
}

// CloudLease is what the cloud-controller-manager's Lease says about it.
type CloudLease struct {
	Evidence finding.Evidence
	Holder   string // of now, or the last one
	Held     bool   // it is renewed in time
	// Lost says that it is held in the name of a pod that isn't there. It may be one of another cluster, which the
	// control plane runs in: as long as it is held, what should run here tells more.
	Lost bool
	// Answer is there if there is no leader, although there was one, and where the Lease can't be read.
	Answer session.Answer
}

// CloudManagerLease looks at the cloud-controller-manager's Lease.
func (p *ControlPlane) CloudManagerLease(ctx context.Context) (found CloudLease) {
	lease := session.Named(cluster.Leases(), CloudManagerHome(ctx, p.session), session.CloudManager)
	read, err := p.Lease(ctx, lease)
	if err != nil {
		if !apierrors.IsNotFound(err) {
			found.Answer = session.Unread(finding.UnreadObject(lease.Ref), err)
		}
		found.Evidence = lease.Ref.NotFound()
		return found
	}
	found.Evidence, found.Holder = lastRenewal(p.session, lease, read, ""), Holder(read)
	live := LeaseLive(read, p.session.Now())
	found.Lost = live && holderLost(ctx, p.session, read)
	if found.Lost {
		found.Evidence.Observed += " by " + found.Holder + "; that pod no longer exists"
	}
	if found.Held = live && (fresh(p.session, read) || !found.Lost); found.Held {
		return found
	}
	back := p.session.Kubectl.Prefix(lease.Ref, "get", "daemonsets,deployments,pods", "-o", "wide")
	found.Answer = notHeld(lease, found.Evidence, finding.Finding{
		Situation: "CloudManagerDown", Details: finding.ControlPlaneDownDetails{RenewedAt: found.Evidence.At},
		Remedies: []finding.Remedy{{Step: "BringCloudManagerBack", Command: back}},
	})
	return found
}
