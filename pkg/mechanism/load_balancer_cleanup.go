package mechanism

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

const (
	// cloudPatience is how long a cloud may take to delete a load balancer before silence means
	// something.
	cloudPatience = 5 * time.Minute
)

// loadBalancerCleanup explains service.kubernetes.io/load-balancer-cleanup: a Service stays until the
// cloud's load balancer is deleted, which the cloud-controller-manager sees to (deletion-mechanics M16).
func loadBalancerCleanup(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != "service.kubernetes.io/load-balancer-cleanup" || !object.Is("", "Service") {
		return facts.Answer{}, false
	}
	lease, answer, held := w.CloudManagerLease(ctx)
	switch {
	case !answer.Empty():
		return answer, true
	case held:
		return w.balancerDeletion(ctx, object, hold, []graph.Evidence{lease}), true
	}
	seen, answer := w.cloudManagerSeen(ctx)
	switch {
	case !answer.Empty():
		return answer, true
	case len(seen) == 0:
		return facts.Cause(w.cloudManagerMissing(ctx, object, hold, lease)), true
	}
	return w.balancerDeletion(ctx, object, hold, append(seen, lease)), true
}

// cloudManagerSeen looks in kube-system for pods of a cloud-controller-manager without a Lease, and for
// a workload of it that has none.
func (w *World) cloudManagerSeen(ctx context.Context) (seen []graph.Evidence, answer facts.Answer) {
	const namespace = "kube-system"
	for _, kind := range []struct{ group, resource string }{{"", "pods"}, {"apps", "daemonsets"}, {"apps", "deployments"}} {
		resource, served, err := w.Served(ctx, kind.group, kind.resource)
		var objects []*facts.Object
		if err == nil && served {
			objects, err = w.List(ctx, resource, namespace)
		}
		if err != nil {
			return nil, facts.Unread(kind.resource+" in "+namespace, err)
		}
		for _, object := range objects {
			if !ofCloudManager(object) {
				continue
			}
			if kind.resource != "pods" {
				return nil, w.cloudManagerDown(object)
			}
			seen = append(seen, graph.Evidence{Source: object.Ref.String(), Observed: "by its name or labels, a cloud-controller-manager", Object: &object.Ref})
		}
		if len(seen) > 0 {
			break
		}
	}
	return seen, facts.Answer{}
}

// ofCloudManager tells whether an object belongs to a cloud-controller-manager, by the names that
// providers give it.
func ofCloudManager(object *facts.Object) bool {
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
func (w *World) cloudManagerDown(workload *facts.Object) facts.Answer {
	return facts.Answer{Waits: []facts.Wait{{Blocker: workload, ForAnswer: true, Otherwise: facts.Cause(graph.Cause{
		Reason: graph.ControllerDown, Object: workload.Ref, Certainty: graph.Likely,
		Message:  fmt.Sprintf("%s, which deletes the load balancers of Services, has no pods.", workload.Ref),
		Awaited:  fmt.Sprintf("%s, which likely deletes load balancers, and has no pods", workload.Ref),
		Evidence: []graph.Evidence{{Source: workload.Ref.String(), Observed: "exists, and no pod of it is in " + workload.Ref.Namespace, Object: &workload.Ref}},
		Remedies: []graph.Remedy{{
			Action:  "See why it has no pods, and get it to run. It then finishes by itself.",
			Command: w.Kubectl.Command(workload, "describe"),
			Risk:    graph.NoRisk,
		}},
	})}}}
}

// cloudManagerMissing is the cause of a Service whose load balancer nobody here can delete.
func (w *World) cloudManagerMissing(ctx context.Context, object *facts.Object, hold graph.Hold, lease graph.Evidence) graph.Cause {
	return graph.Cause{
		Reason: graph.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s waits for a cloud-controller-manager to delete its load balancer. None is visible in this cluster; it may run elsewhere.", object.Ref),
		Awaited: fmt.Sprintf("a cloud-controller-manager, of which none is visible in this cluster, to delete the load balancer behind %s", object.Ref),
		Evidence: []graph.Evidence{
			lease, {Source: "pods, Deployments and DaemonSets in kube-system", Observed: "none looks like a cloud-controller-manager"},
		},
		Remedies: append([]graph.Remedy{{
			Action:  "Bring the cloud provider's controller back and let it finish. What it last said of the Service may tell which one that was.",
			Command: w.Kubectl.Command(object, "describe"),
			Risk:    graph.NoRisk,
		}}, w.forgetBalancer(ctx, object, hold)),
		Alike: "no cloud-controller-manager",
		Several: func(count int) string {
			return fmt.Sprintf("a cloud-controller-manager, of which none is visible in this cluster, to delete the load balancers of %d Services", count)
		},
	}
}

// forgetBalancer is the last resort for a Service whose load balancer nobody deletes.
func (w *World) forgetBalancer(ctx context.Context, object *facts.Object, hold graph.Hold) graph.Remedy {
	return graph.Remedy{
		Action:  "Last resort, once the load balancer is deleted by hand, or certainly never was: remove this one entry. " + facts.AsksBefore,
		Command: w.Kubectl.Remove(object, []string{hold.Name}),
		Risk:    graph.Orphans,
		Loses:   "the load balancer" + w.balancerAddress(ctx, object) + ", its address and its rules: what is left of them keeps running and costing money",
	}
}

// balancerAddress names the address by which a load balancer can be found at the cloud.
func (w *World) balancerAddress(ctx context.Context, object *facts.Object) string {
	service, _ := facts.WholeAs[corev1.Service](ctx, w, object)
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
func (w *World) balancerDeletion(ctx context.Context, object *facts.Object, hold graph.Hold, alive []graph.Evidence) facts.Answer {
	failed, err := w.Warning(ctx, object, "SyncLoadBalancerFailed", "DeleteLoadBalancerFailed")
	if err != nil {
		return facts.Unread("events in "+object.Ref.Namespace, err, alive...)
	}
	if failed != nil {
		words := facts.Quoted(failed.Words)
		return facts.Cause(graph.Cause{
			Reason: graph.ControllerFailing, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Likely,
			Message:  fmt.Sprintf("%s can't delete the load balancer behind %s: %s.", facts.CloudManager, object.Ref, words),
			Awaited:  fmt.Sprintf("%s to delete the load balancer behind %s, which fails: %s", facts.CloudManager, object.Ref, words),
			Evidence: append([]graph.Evidence{failed.Evidence(object.Ref)}, alive...),
			Remedies: []graph.Remedy{{
				Action:  "Mend what is reported: credentials, quota, something else at the cloud that uses the load balancer. The controller tries again by itself.",
				Command: w.Kubectl.Command(object, "describe"),
				Risk:    graph.NoRisk,
			}, facts.Overriding([]graph.Remedy{w.forgetBalancer(ctx, object, hold)}, graph.ControllerFailing)[0]},
		})
	}
	note := facts.Note{
		Message:  fmt.Sprintf("%s has yet to delete the load balancer behind %s, and reports no error.", facts.CloudManager, object.Ref),
		Awaited:  fmt.Sprintf("%s to delete the load balancer behind %s", facts.CloudManager, object.Ref),
		Evidence: alive,
	}
	if w.Since(object) < cloudPatience {
		return facts.Progress(note)
	}
	note.Message += fmt.Sprintf(" That is %s after the deletion; its logs would tell.", w.Ago(object.RequestedAt()))
	note.Awaited += ", and nothing tells why it has not"
	return facts.Open(note)
}
