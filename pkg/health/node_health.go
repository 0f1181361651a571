package health

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// NodeHealth is what tells whether a node's kubelet is alive.
type NodeHealth struct {
	Ready     bool
	certainty finding.Certainty // of ready being false
	state     string            // completes "Node X …" when it isn't ready
	Evidence  []finding.Evidence
	Unread    error // why the kubelet's Lease could not be read: a condition that says ready may lag
}

// nodeMayReturn is how long a silent node may be booting or on its way back, as far as anybody can
// tell: Kubernetes itself waits as long before it evicts the node's pods (the default
// tolerationSeconds, k8s v1.37 plugin/pkg/admission/defaulttolerationseconds).
const nodeMayReturn = 5 * time.Minute

// NodeHealth judges a Node by its Ready condition and by its kubelet's Lease, which is fresher: the
// condition lags behind a kubelet's death by most of a minute (deletion-mechanics M05-3).
func (c *Checker) NodeHealth(ctx context.Context, node *corev1.Node) NodeHealth {
	ref := &finding.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	health := NodeHealth{state: "has never reported that it is ready", certainty: finding.Proven}
	since := node.CreationTimestamp.Time
	if condition := readyCondition(node); condition == nil {
		health.Evidence = []finding.Evidence{{Source: ref.String(), Observed: "no Ready condition", Object: ref}}
	} else {
		at := condition.LastTransitionTime.Time
		since = at
		health.Ready = condition.Status == corev1.ConditionTrue
		if condition.Reason != "NodeStatusNeverUpdated" {
			health.state = fmt.Sprintf("has not been ready for %s", c.Session.Ago(at))
		}
		health.Evidence = []finding.Evidence{{
			Source: ref.String(), Observed: fmt.Sprintf("condition Ready is %s: %s, for %s", condition.Status, condition.Reason, c.Session.Ago(at)), Object: ref, At: &at,
		}}
	}
	if c.Session.Now().Sub(since) < nodeMayReturn {
		health.certainty = finding.Likely
	}
	c.addLease(ctx, node.Name, &health)
	return health
}

func (c *Checker) addLease(ctx context.Context, node string, health *NodeHealth) {
	lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := c.Lease(ctx, lease)
	if apierrors.IsNotFound(err) {
		health.Evidence = append(health.Evidence, finding.Evidence{Source: lease.Ref.String(), Observed: "not found: no kubelet has renewed it"})
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
	health.Evidence = append(health.Evidence, finding.Evidence{
		Source: lease.Ref.String(), Observed: fmt.Sprintf("the kubelet last renewed it %s ago", c.Session.Ago(at)), Object: &lease.Ref, At: &at,
	})
	if health.Ready && !LeaseLive(read, c.Session.Now()) {
		health.Ready, health.certainty = false, finding.Likely
		health.state = fmt.Sprintf("has not been heard of for %s", c.Session.Ago(at))
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
func (c *Checker) NodeNotReady(pod, node *session.Object, health NodeHealth) finding.Finding {
	return finding.Finding{
		Reason: finding.NodeNotReady, Object: node.Ref, Certainty: health.certainty,
		Message:  fmt.Sprintf("%s %s. Only its kubelet can confirm that a pod there has stopped.", node.Ref, health.state),
		Awaited:  fmt.Sprintf("the kubelet of %s, which %s", node.Ref, health.state),
		Evidence: health.Evidence,
		Remedies: []finding.Remedy{{
			Action:  "Bring the node back. Its kubelet then finishes the deletion by itself.",
			Command: c.Session.Kubectl.Command(node, "describe"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "If the machine is certainly off and won't come back: say so, and its pods are removed and their volumes detached.",
			Command: c.taint(node),
			Risk:    finding.Disruption,
			Loses:   "nothing if it is off; if it still runs, two copies of a pod may write to one volume",
		}, {
			Action:  "Last resort, pod by pod: make the API server forget " + Forgettable(pod) + ".",
			Command: c.Forget(pod),
			Risk:    finding.DataLoss,
			Loses:   ForgetLoses,
		}},
	}
}

func (c *Checker) taint(node *session.Object) finding.Command {
	return append(c.Session.Kubectl.Prefix(node.Ref), "taint", "nodes", node.Ref.Name, corev1.TaintNodeOutOfService+"=nodeshutdown:NoExecute")
}

// Forget is the command that takes a pod's grace period away. It doesn't wait: what else holds the
// pod would keep it waiting for ever.
func (c *Checker) Forget(pod *session.Object) finding.Command {
	return c.Session.Kubectl.Command(pod, "delete", "--grace-period=0", "--force", "--wait=false")
}

// ForgetLoses is what is lost with the record of a pod that nobody saw stop.
const ForgetLoses = "the knowledge whether its containers run; if they do, a second copy may start beside them"

// Forgettable names a pod, and what holds it besides its node.
func Forgettable(pod *session.Object) string {
	if len(pod.Meta.Finalizers) == 0 {
		return pod.Ref.String()
	}
	return pod.Ref.String() + ", which its finalizers hold all the same"
}
