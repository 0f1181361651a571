package mechanism

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const (
	// cloudPatience is how long a cloud may take to delete a load balancer before silence means
	// something.
	cloudPatience = 5 * time.Minute
)

// loadBalancerCleanup explains service.kubernetes.io/load-balancer-cleanup: a Service stays until the
// cloud's load balancer is deleted, which the cloud-controller-manager sees to (deletion-mechanics M16).
func loadBalancerCleanup(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != "service.kubernetes.io/load-balancer-cleanup" || !object.Is("", "Service") {
		return session.Answer{}, false
	}
	lease, answer, held := t.Health.CloudManagerLease(ctx)
	switch {
	case !answer.Empty():
		return answer, true
	case held:
		return t.balancerDeletion(ctx, object, hold, []finding.Evidence{lease}), true
	}
	seen, answer := t.cloudManagerSeen(ctx)
	switch {
	case !answer.Empty():
		return answer, true
	case len(seen) == 0:
		return session.Cause(t.cloudManagerMissing(ctx, object, hold, lease)), true
	}
	return t.balancerDeletion(ctx, object, hold, append(seen, lease)), true
}

// cloudManagerSeen looks in kube-system for pods of a cloud-controller-manager without a Lease, and for
// a workload of it that has none.
func (t *Tools) cloudManagerSeen(ctx context.Context) (seen []finding.Evidence, answer session.Answer) {
	const namespace = "kube-system"
	for _, kind := range []struct{ group, resource string }{{"", "pods"}, {"apps", "daemonsets"}, {"apps", "deployments"}} {
		resource, served, err := t.Session.Served(ctx, kind.group, kind.resource)
		var objects []*session.Object
		if err == nil && served {
			objects, err = t.Session.List(ctx, resource, namespace)
		}
		if err != nil {
			return nil, session.Unread(kind.resource+" in "+namespace, err)
		}
		for _, object := range objects {
			if !ofCloudManager(object) {
				continue
			}
			if kind.resource != "pods" {
				return nil, t.cloudManagerDown(object)
			}
			seen = append(seen, finding.Evidence{Source: object.Ref.String(), Observed: "by its name or labels, a cloud-controller-manager", Object: &object.Ref})
		}
		if len(seen) > 0 {
			break
		}
	}
	return seen, session.Answer{}
}

// ofCloudManager tells whether an object belongs to a cloud-controller-manager, by the names that
// providers give it.
func ofCloudManager(object *session.Object) bool {
	words := []string{object.Ref.Name}
	for _, value := range object.Meta.Labels {
		words = append(words, value)
	}
	for _, word := range words {
		if strings.Contains(word, "cloud-controller") || strings.HasSuffix(word, "-ccm") || strings.Contains(word, "-ccm-") {
			return true
		}
	}
	return false
}

// cloudManagerDown answers where a cloud-controller-manager is installed and has no pod.
func (t *Tools) cloudManagerDown(workload *session.Object) session.Answer {
	return session.Answer{Waits: []session.Wait{{Blocker: workload, ForAnswer: true, Otherwise: session.Cause(finding.Finding{
		Reason: finding.ControllerDown, Object: workload.Ref, Certainty: finding.Likely,
		Message:  fmt.Sprintf("%s, which deletes the load balancers of Services, has no pods.", workload.Ref),
		Awaited:  fmt.Sprintf("%s, which likely deletes load balancers, and has no pods", workload.Ref),
		Evidence: []finding.Evidence{{Source: workload.Ref.String(), Observed: "exists, and no pod of it is in " + workload.Ref.Namespace, Object: &workload.Ref}},
		Remedies: []finding.Remedy{{
			Action:  "See why it has no pods, and get it to run. It then finishes by itself.",
			Command: t.Session.Kubectl.Command(workload, "describe"),
			Risk:    finding.NoRisk,
		}},
	})}}}
}

// cloudManagerMissing is the cause of a Service whose load balancer nobody here can delete.
func (t *Tools) cloudManagerMissing(ctx context.Context, object *session.Object, hold finding.Hold, lease finding.Evidence) finding.Finding {
	return finding.Finding{
		Reason: finding.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s waits for a cloud-controller-manager to delete its load balancer. None is visible in this cluster; it may run elsewhere.", object.Ref),
		Awaited: fmt.Sprintf("a cloud-controller-manager, of which none is visible in this cluster, to delete the load balancer behind %s", object.Ref),
		Evidence: []finding.Evidence{
			lease, {Source: "pods, Deployments and DaemonSets in kube-system", Observed: "none looks like a cloud-controller-manager"},
		},
		Remedies: append([]finding.Remedy{{
			Action:  "Bring the cloud provider's controller back and let it finish. What it last said of the Service may tell which one that was.",
			Command: t.Session.Kubectl.Command(object, "describe"),
			Risk:    finding.NoRisk,
		}}, t.forgetBalancer(ctx, object, hold)),
		Alike: "no cloud-controller-manager",
		Several: func(count int) string {
			return fmt.Sprintf("a cloud-controller-manager, of which none is visible in this cluster, to delete the load balancers of %d Services", count)
		},
	}
}

// forgetBalancer is the last resort for a Service whose load balancer nobody deletes.
func (t *Tools) forgetBalancer(ctx context.Context, object *session.Object, hold finding.Hold) finding.Remedy {
	return finding.Remedy{
		Action:  "Last resort, once the load balancer is deleted by hand, or certainly never was: remove this one entry. " + session.AsksBefore,
		Command: t.Session.Kubectl.Remove(object, []string{hold.Name}),
		Risk:    finding.Orphans,
		Loses:   "the load balancer" + t.balancerAddress(ctx, object) + ", its address and its rules: what is left of them keeps running and costing money",
	}
}

// balancerAddress names the address by which a load balancer can be found at the cloud.
func (t *Tools) balancerAddress(ctx context.Context, object *session.Object) string {
	service, _ := session.WholeAs[corev1.Service](ctx, t.Session, object)
	if service == nil {
		return "" // the failed read is noted
	}
	for _, ingress := range service.Status.LoadBalancer.Ingress {
		if ingress.IP != "" {
			return " at " + ingress.IP
		}
		if ingress.Hostname != "" {
			return " at " + ingress.Hostname
		}
	}
	return ""
}

// balancerDeletion answers where a cloud-controller-manager runs: what does it say of the Service?
func (t *Tools) balancerDeletion(ctx context.Context, object *session.Object, hold finding.Hold, alive []finding.Evidence) session.Answer {
	failed, err := t.Health.Warning(ctx, object, "SyncLoadBalancerFailed", "DeleteLoadBalancerFailed")
	if err != nil {
		return session.Unread("events in "+object.Ref.Namespace, err, alive...)
	}
	if failed != nil {
		words := health.Quoted(failed.Words)
		return session.Cause(finding.Finding{
			Reason: finding.ControllerFailing, Object: object.Ref, Finalizer: hold.Name, Certainty: finding.Likely,
			Message:  fmt.Sprintf("%s can't delete the load balancer behind %s: %s.", session.CloudManager, object.Ref, words),
			Awaited:  fmt.Sprintf("%s to delete the load balancer behind %s, which fails: %s", session.CloudManager, object.Ref, words),
			Evidence: append([]finding.Evidence{failed.Evidence(object.Ref)}, alive...),
			Remedies: []finding.Remedy{{
				Action:  "Mend what is reported: credentials, quota, something else at the cloud that uses the load balancer. The controller tries again by itself.",
				Command: t.Session.Kubectl.Command(object, "describe"),
				Risk:    finding.NoRisk,
			}, session.Overriding([]finding.Remedy{t.forgetBalancer(ctx, object, hold)}, finding.ControllerFailing)[0]},
		})
	}
	note := finding.Finding{
		Message:  fmt.Sprintf("%s has yet to delete the load balancer behind %s, and reports no error.", session.CloudManager, object.Ref),
		Awaited:  fmt.Sprintf("%s to delete the load balancer behind %s", session.CloudManager, object.Ref),
		Evidence: alive,
	}
	if t.Session.Since(object) < cloudPatience {
		return session.Progress(note)
	}
	note.Message += fmt.Sprintf(" That is %s after the deletion; its logs would tell.", t.Session.Ago(object.RequestedAt()))
	note.Awaited += ", and nothing tells why it has not"
	return session.Open(note)
}
