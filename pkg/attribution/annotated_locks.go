package attribution

import (
	"context"
	"encoding/json"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// lockAnnotation is where older leader elections keep their lock, in a ConfigMap or Endpoints (k8s v1.23
// client-go/tools/leaderelection/resourcelock/interface.go:LeaderElectionRecordAnnotationKey).
const lockAnnotation = "control-plane.alpha.kubernetes.io/leader"

// lockRecord is the lock in it (LeaderElectionRecord there).
type lockRecord struct {
	HolderIdentity       string       `json:"holderIdentity"`
	LeaseDurationSeconds int32        `json:"leaseDurationSeconds"`
	RenewTime            *metav1.Time `json:"renewTime"`
}

// lockOf is an annotated lock as a Lease; nil for an object without one.
func lockOf(object *session.Object) *leaseItem {
	var record lockRecord
	text := object.Meta.Annotations[lockAnnotation]
	if text == "" || json.Unmarshal([]byte(text), &record) != nil || record.RenewTime == nil {
		return nil
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{
		Namespace: object.Ref.Namespace, Name: object.Ref.Name, CreationTimestamp: object.Meta.CreationTimestamp,
	}}
	lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds = &record.HolderIdentity, &record.LeaseDurationSeconds
	lease.Spec.RenewTime = &metav1.MicroTime{Time: record.RenewTime.Time}
	return &leaseItem{Object: object, Typed: lease}
}

// locksIn are the annotated locks in a namespace. A recording that was made without them shows none.
func locksIn(ctx context.Context, f *Finder, namespace string) ([]leaseItem, error) {
	return f.locks.Get(namespace, func() (locks []leaseItem, err error) {
		for _, kind := range []cluster.Resource{cluster.ConfigMaps(), cluster.Endpoints()} {
			visit := func(meta *metav1.PartialObjectMetadata) {
				if lock := lockOf(session.FromMetadata(kind, meta)); lock != nil {
					locks = append(locks, *lock)
				}
			}
			err := f.Session.Reader.EachMetadata(ctx, kind, namespace, cluster.Selector{}, visit)
			if err != nil && !cluster.NeverAsked(err) {
				f.Session.Reader.Failed(kind, namespace, "", err)
				return nil, err
			}
		}
		return locks, nil
	})
}

// examineLocks looks for an annotated lock of a candidate that nothing here runs as: if it is renewed, that one runs
// elsewhere. One that isn't says nothing: older versions may have left it. It answers false if that can't be read.
func examineLocks(ctx context.Context, s *search, c *candidate) bool {
	locks, err := locksIn(ctx, s.finder, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"ConfigMaps", "Endpoints"}, Namespace: c.namespace}, err)
	}
	found, by := leaseFor(s, c, locks, nil)
	if found == nil || !health.LeaseLive(found.Typed, s.session.Now()) {
		return true
	}
	c.evidence, c.holder = append(c.evidence, leaseObserved(s, c, *found)), health.Holder(found.Typed)
	return (examination{s, c}).judgeLease(ctx, *found, by, nil)
}
