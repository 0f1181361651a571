package loss

import (
	"cmp"
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Balancer returns the load balancer that is deleted with a Service, and its addresses (k8s v1.37 cloud-provider
// controllers/service/controller.go:syncLoadBalancerIfNeeded). It returns nothing if the Service has another type or is
// gone, or if no load balancer was made for it: the controller that makes one sets a finalizer, or the addresses.
func (t *Teller) Balancer(ctx context.Context, object *session.Object) []finding.Taken {
	taken := finding.Taken{Object: object.Ref, Situation: "LoadBalancerDeleted", Risk: finding.Disruption}
	service, err := session.ReadAs[corev1.Service](ctx, t.Session, object)
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		taken.Situation, taken.Details.Unread = "LoadBalancerUnread", unread(object.Ref, err)
	case service.Spec.Type != corev1.ServiceTypeLoadBalancer,
		len(service.Finalizers)+len(service.Status.LoadBalancer.Ingress) == 0:
		return nil
	default:
		for _, ingress := range service.Status.LoadBalancer.Ingress {
			taken.Details.Names = append(taken.Details.Names, cmp.Or(ingress.IP, ingress.Hostname))
		}
	}
	return []finding.Taken{taken}
}
