package facts

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// NodeHealth is what tells whether a node's kubelet is alive.
type NodeHealth struct {
	Ready     bool
	certainty graph.Certainty // of ready being false
	state     string          // completes "Node X …" when it isn't ready
	Evidence  []graph.Evidence
	Unread    error // why the kubelet's Lease could not be read: a condition that says ready may lag
}

// nodeMayReturn is how long a silent node may be booting or on its way back, as far as anybody can
// tell: Kubernetes itself waits as long before it evicts the node's pods (the default
// tolerationSeconds, k8s v1.37 plugin/pkg/admission/defaulttolerationseconds).
const nodeMayReturn = 5 * time.Minute

// NodeHealth judges a Node by its Ready condition and by its kubelet's Lease, which is fresher: the
// condition lags behind a kubelet's death by most of a minute (deletion-mechanics M05-3).
func (w *World) NodeHealth(ctx context.Context, node *corev1.Node) NodeHealth {
	ref := &graph.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	health := NodeHealth{state: "has never reported that it is ready", certainty: graph.Proven}
	since := node.CreationTimestamp.Time
	if condition := readyCondition(node); condition == nil {
		health.Evidence = []graph.Evidence{{Source: ref.String(), Observed: "no Ready condition", Object: ref}}
	} else {
		at := condition.LastTransitionTime.Time
		since = at
		health.Ready = condition.Status == corev1.ConditionTrue
		if condition.Reason != "NodeStatusNeverUpdated" {
			health.state = fmt.Sprintf("has not been ready for %s", w.Ago(at))
		}
		health.Evidence = []graph.Evidence{{
			Source: ref.String(), Observed: fmt.Sprintf("condition Ready is %s: %s, for %s", condition.Status, condition.Reason, w.Ago(at)), Object: ref, At: &at,
		}}
	}
	if w.Now().Sub(since) < nodeMayReturn {
		health.certainty = graph.Likely
	}
	w.addLease(ctx, node.Name, &health)
	return health
}

func (w *World) addLease(ctx context.Context, node string, health *NodeHealth) {
	lease := Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := w.Lease(ctx, lease)
	if apierrors.IsNotFound(err) {
		health.Evidence = append(health.Evidence, graph.Evidence{Source: lease.Ref.String(), Observed: "not found: no kubelet has renewed it"})
		return
	}
	if err != nil {
		health.Unread = err
		return
	}
	if read.Spec.RenewTime == nil {
		return // the condition stands by itself
	}
	at := read.Spec.RenewTime.Time
	lease.Ref.UID = string(read.UID)
	health.Evidence = append(health.Evidence, graph.Evidence{
		Source: lease.Ref.String(), Observed: fmt.Sprintf("the kubelet last renewed it %s ago", w.Ago(at)), Object: &lease.Ref, At: &at,
	})
	if health.Ready && !LeaseLive(read, w.Now()) {
		health.Ready, health.certainty = false, graph.Likely
		health.state = fmt.Sprintf("has not been heard of for %s", w.Ago(at))
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

// NodeNotReady is the cause of every pod that waits for a kubelet which doesn't answer.
func (w *World) NodeNotReady(pod, node *Object, health NodeHealth) graph.Cause {
	return graph.Cause{
		Reason: graph.NodeNotReady, Object: node.Ref, Certainty: health.certainty,
		Message:  fmt.Sprintf("%s %s. Only its kubelet can confirm that a pod there has stopped.", node.Ref, health.state),
		Awaited:  fmt.Sprintf("the kubelet of %s, which %s", node.Ref, health.state),
		Evidence: health.Evidence,
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
			Action:  "Last resort, pod by pod: make the API server forget " + Forgettable(pod) + ".",
			Command: w.Forget(pod),
			Risk:    graph.DataLoss,
			Loses:   ForgetLoses,
		}},
	}
}

func (w *World) taint(node *Object) graph.Command {
	return append(w.Kubectl.Prefix(node.Ref), "taint", "nodes", node.Ref.Name, corev1.TaintNodeOutOfService+"=nodeshutdown:NoExecute")
}

// Forget is the command that takes a pod's grace period away. It doesn't wait: what else holds the
// pod would keep it waiting for ever.
func (w *World) Forget(pod *Object) graph.Command {
	return w.Kubectl.Command(pod, "delete", "--grace-period=0", "--force", "--wait=false")
}

// ForgetLoses is what is lost with the record of a pod that nobody saw stop.
const ForgetLoses = "the knowledge whether its containers run; if they do, a second copy may start beside them"

// Forgettable names a pod, and what holds it besides its node.
func Forgettable(pod *Object) string {
	if len(pod.Meta.Finalizers) == 0 {
		return pod.Ref.String()
	}
	return pod.Ref.String() + ", which its finalizers hold all the same"
}
