package mechanism

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// nodeHealth is what tells whether a node's kubelet is alive.
type nodeHealth struct {
	ready     bool
	certainty graph.Certainty // of ready being false
	state     string          // completes "Node X …" when it isn't ready
	evidence  []graph.Evidence
	unread    error // why the kubelet's Lease could not be read: a condition that says ready may lag
}

// nodeMayReturn is how long a silent node may be booting or on its way back, as far as anybody can
// tell: Kubernetes itself waits as long before it evicts the node's pods (the default
// tolerationSeconds, k8s v1.37 plugin/pkg/admission/defaulttolerationseconds).
const nodeMayReturn = 5 * time.Minute

// nodeHealth judges a Node by its Ready condition and by its kubelet's Lease, which is fresher: the
// condition lags behind a kubelet's death by most of a minute (deletion-mechanics M05-3).
func (w *World) nodeHealth(ctx context.Context, node *corev1.Node) nodeHealth {
	ref := &graph.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	health := nodeHealth{state: "has never reported that it is ready", certainty: graph.Proven}
	since := node.CreationTimestamp.Time
	if condition := readyCondition(node); condition == nil {
		health.evidence = []graph.Evidence{{Source: ref.String(), Observed: "no Ready condition", Object: ref}}
	} else {
		at := condition.LastTransitionTime.Time
		since = at
		health.ready = condition.Status == corev1.ConditionTrue
		if condition.Reason != "NodeStatusNeverUpdated" {
			health.state = fmt.Sprintf("has not been ready for %s", w.ago(at))
		}
		health.evidence = []graph.Evidence{{
			Source: ref.String(), Observed: fmt.Sprintf("condition Ready is %s: %s, for %s", condition.Status, condition.Reason, w.ago(at)), Object: ref, At: &at,
		}}
	}
	if w.Now().Sub(since) < nodeMayReturn {
		health.certainty = graph.Likely
	}
	w.addLease(ctx, node.Name, &health)
	return health
}

func (w *World) addLease(ctx context.Context, node string, health *nodeHealth) {
	lease := Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := w.lease(ctx, lease)
	if apierrors.IsNotFound(err) {
		health.evidence = append(health.evidence, graph.Evidence{Source: lease.Ref.String(), Observed: "not found: no kubelet has renewed it"})
		return
	}
	if err != nil {
		health.unread = err
		return
	}
	if read.Spec.RenewTime == nil {
		return // the condition stands by itself
	}
	at := read.Spec.RenewTime.Time
	lease.Ref.UID = string(read.UID)
	health.evidence = append(health.evidence, graph.Evidence{
		Source: lease.Ref.String(), Observed: fmt.Sprintf("the kubelet last renewed it %s ago", w.ago(at)), Object: &lease.Ref, At: &at,
	})
	if health.ready && !leaseLive(read, w.Now()) {
		health.ready, health.certainty = false, graph.Likely
		health.state = fmt.Sprintf("has not been heard of for %s", w.ago(at))
	}
}

func readyCondition(node *corev1.Node) *corev1.NodeCondition {
	for i := range node.Status.Conditions {
		if node.Status.Conditions[i].Type == corev1.NodeReady {
			return &node.Status.Conditions[i]
		}
	}
	return nil
}

// nodeNotReady is the cause of every pod that waits for a kubelet which doesn't answer.
func (w *World) nodeNotReady(pod, node *Object, health nodeHealth) graph.Cause {
	return graph.Cause{
		Reason: graph.NodeNotReady, Object: node.Ref, Certainty: health.certainty,
		Message:  fmt.Sprintf("%s %s. Only its kubelet can confirm that a pod there has stopped.", node.Ref, health.state),
		Awaited:  fmt.Sprintf("the kubelet of %s, which %s", node.Ref, health.state),
		Evidence: health.evidence,
		Remedies: []graph.Remedy{{
			Action:  "Bring the node back. Its kubelet then finishes the deletion by itself.",
			Command: w.Kubectl.Command(node, "describe"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "If the machine is certainly off and won't come back: say so, and its pods are removed and their volumes detached.",
			Command: w.taint(node),
			Risk:    graph.Disruption,
			Loses:   "nothing if it is off; if it still runs, two copies of a pod may write to one volume",
		}, {
			Action:  "Last resort, pod by pod: make the API server forget " + forgettable(pod) + ".",
			Command: w.forget(pod),
			Risk:    graph.DataLoss,
			Loses:   forgetLoses,
		}},
	}
}

func (w *World) taint(node *Object) string {
	return quote(append(w.Kubectl.prefix(node.Ref), "taint", "nodes", node.Ref.Name, corev1.TaintNodeOutOfService+"=nodeshutdown:NoExecute"))
}

// forget is the command that takes a pod's grace period away. It doesn't wait: what else holds the
// pod would keep it waiting for ever.
func (w *World) forget(pod *Object) string {
	return w.Kubectl.Command(pod, "delete", "--grace-period=0", "--force", "--wait=false")
}

const forgetLoses = "the knowledge whether its containers run; if they do, a second copy may start beside them"

// forgettable names a pod, and what holds it besides its node.
func forgettable(pod *Object) string {
	if len(pod.Meta.Finalizers) == 0 {
		return pod.Ref.String()
	}
	return pod.Ref.String() + ", which its finalizers hold all the same"
}
