package mechanism

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// byClass answers for a Service that names a class of load balancers: a program that is told the class makes them, and
// no cloud-controller-manager (k8s v1.37 cloud-provider/controllers/service/controller.go:wantsLoadBalancer). It
// answers false where no such program is found.
func byClass(ctx context.Context, t *Tools, held Held) (answer Answer, is bool) {
	if !ofClass(ctx, t.Session, held.Object) {
		return Answer{}, false
	}
	return ownController(ctx, t, held)
}

// bySetter answers for a Service whose finalizer was set by a program that is no cloud-controller-manager by its name.
func bySetter(ctx context.Context, t *Tools, held Held) (answer Answer, is bool) {
	_, setBy := t.Attribution.WhoSet(held.Object, held.Hold)
	if setBy == nil || setBy.Manager == "" || setBy.ByHand || isCloudManager(setBy.Manager) {
		return Answer{}, false
	}
	return ownController(ctx, t, held)
}

// ownController is the answer by who the finalizer's controller is, as for any other finalizer.
func ownController(ctx context.Context, t *Tools, held Held) (answer Answer, is bool) {
	answer = unidentifiedFinalizer(ctx, t, held)
	if !showsController(answer) {
		return Answer{}, false
	}
	forget := forgetBalancer(ctx, t.Session, held)
	for cause := range answer.AllCauses() {
		cause.Remedies = finding.Each(cause.Remedies, func(remedy Remedy) Remedy {
			if !remedy.Forces() {
				return remedy
			}
			forced := []Remedy{forget}
			for _, code := range remedy.Command.Values("--override") {
				forced = session.Overriding(forced, code)
			}
			return forced[0]
		})
	}
	return answer, true
}

// showsController reports whether an answer rests on a controller that was found, whatever state that is in, or on what
// could not be read, so that one may be there.
func showsController(answer Answer) bool {
	shows := func(cause Finding) bool {
		return cause.Reason != finding.ControllerUnknown && cause.Reason != finding.ControllerMissing ||
			len(cause.Candidates)+len(cause.Unread) > 0
	}
	return len(answer.Waits)+len(answer.Progress)+len(answer.Open) > 0 || slices.ContainsFunc(answer.Causes, shows)
}

// ofClass reports whether a Service names a class of load balancers; the usual one, of the cloud, has no name.
func ofClass(ctx context.Context, reads *session.Session, object *Object) bool {
	service, _ := session.WholeAs[corev1.Service](ctx, reads, object) // a failed read is noted
	return service != nil && service.Spec.LoadBalancerClass != nil
}
