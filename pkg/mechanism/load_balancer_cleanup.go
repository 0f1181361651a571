package mechanism

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// cloudPatience is how long a cloud may take to delete a load balancer before silence means something.
const cloudPatience = 5 * time.Minute

// loadBalancerCleanup explains service.kubernetes.io/load-balancer-cleanup: a Service stays until the cloud's load
// balancer is deleted, which the cloud-controller-manager sees to (docs/deletion.md#load-balancer-cleanup).
func loadBalancerCleanup(ctx context.Context, t *Tools, held Held) Answer {
	alive, answer := cloudManager(ctx, t, held)
	if answer.Empty() {
		return balancerDeletion(ctx, t, held, alive)
	}
	return answer
}

func forgetBalancer(ctx context.Context, reads *session.Session, held Held) Remedy {
	return Remedy{
		Step: "ForgetLoadBalancer", Details: finding.LoadBalancerDetails{Address: balancerAddress(ctx, reads, held.Object)},
		Command: reads.Kubectl.Remove(held.Object, []string{held.Hold.Name}), Risk: finding.Orphans,
	}
}

// balancerAddress returns the address by which a load balancer can be found at the cloud, or nothing.
func balancerAddress(ctx context.Context, reads *session.Session, object *Object) string {
	service, _ := session.WholeAs[corev1.Service](ctx, reads, object)
	if service == nil {
		return "" // the failed read is noted
	}
	for _, ingress := range service.Status.LoadBalancer.Ingress {
		if address := cmp.Or(ingress.IP, ingress.Hostname); address != "" {
			return address
		}
	}
	return ""
}

func balancerDeletion(ctx context.Context, t *Tools, held Held, alive []Evidence) Answer {
	failed, err := balancerComplaint(ctx, t.Health, t.Plugins, held)
	if err != nil {
		return session.Unread(unreadKind("events", held.Ref.Namespace), err, alive...)
	}
	if failed != nil {
		return balancerFails(ctx, t.Session, t.Attribution, held, failed, alive)
	}
	details, at, late := finding.LoadBalancerDetails{}, held.RequestedAt(), t.Session.Since(held.Object) >= cloudPatience
	if late {
		details.RequestedAt = &at
	}
	return going(Finding{Situation: "LoadBalancerDue", Object: held.Ref, Details: details, Evidence: alive}, late)
}

// balancerFails answers for a load balancer that can't be deleted, as is reported.
func balancerFails(
	ctx context.Context, reads *session.Session, finder *attribution.Finder, held Held, failed *health.Complaint,
	alive []Evidence,
) Answer {
	said := failed.Evidence(held.Ref)
	denied, quoted := finder.Denial(ctx, failed.Words)
	if quoted && !denied.Over {
		cause := denied.Cause(held.Object, held.Hold.Name, failed.Words, said)
		cause.Evidence = append(cause.Evidence, alive...)
		forget := session.OverridingCause([]Remedy{forgetBalancer(ctx, reads, held)}, finding.ControllerForbidden)
		cause.Remedies = append(cause.Remedies, forget...)
		return session.Cause(cause)
	}
	evidence := append([]Evidence{said}, alive...)
	if quoted {
		evidence = append(evidence, denied.Evidence)
	}
	remedies := []Remedy{
		{Step: "RepairLoadBalancer", Command: reads.Kubectl.Command(held.Object, "describe")},
		forgetBalancer(ctx, reads, held),
	}
	return session.Cause(Finding{
		Reason: finding.ControllerFailing, Situation: "LoadBalancerFails", Object: held.Ref, Finalizer: held.Hold.Name,
		Details: finding.LoadBalancerDetails{Words: failed.Words}, Certainty: finding.Likely,
		Evidence: evidence, Remedies: session.OverridingCause(remedies, finding.ControllerFailing),
	})
}

// balancerComplaint returns the latest trouble that the cloud's controller has reported, or nil: by the reasons of what
// it does with load balancers, or else since the deletion, under the names that the catalogue gives it.
func balancerComplaint(
	ctx context.Context, checker *health.Checker, catalogue *plugins.Set, held Held,
) (latest *health.Complaint, err error) {
	known, _ := catalogue.Find(held.Hold.Name, held.Resource.GroupKind().String())
	events, err := checker.Warnings(ctx, held.Object)
	for _, event := range events {
		complaint := health.ComplaintOf(event)
		about := slices.Contains([]string{"SyncLoadBalancerFailed", "DeleteLoadBalancerFailed"}, event.Reason)
		itself := slices.Contains(known.Reporters, complaint.By) && !complaint.At.Before(held.RequestedAt())
		sense := statuses.Judge(event.Reason + ": " + event.Message)
		ill := sense == statuses.Trouble || sense == ""
		if (about || itself) && ill && (latest == nil || complaint.At.After(latest.At)) {
			latest = &complaint
		}
	}
	return latest, err
}

// cloudManagerSpeaks reports whether the cloud's controller, which can't be seen, has lately complained: since the
// deletion, or before it, where it has had the first moments to act on that.
func cloudManagerSpeaks(ctx context.Context, t *Tools, held Held) (bool, error) {
	if !held.Terminating() {
		return false, nil
	}
	heard, err := balancerComplaint(ctx, t.Health, t.Plugins, held)
	if heard == nil || t.Session.Since(held.Object) < session.Patience && heard.At.Before(held.RequestedAt()) {
		return false, err
	}
	return t.Session.Now().Sub(heard.At) < signs.DriverAlive, err
}
