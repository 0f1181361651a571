package health

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// NodeHealth is what reports whether a node's kubelet is alive.
type NodeHealth struct {
	Ready     bool
	Leaseless bool              // it is said to be ready, and no kubelet has ever renewed a Lease for it
	certainty finding.Certainty // of ready being false
	details   finding.NodeNotReadyDetails
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
	ref := finding.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	health, since := NodeHealth{certainty: finding.Proven}, node.CreationTimestamp.Time
	health.Evidence = []finding.Evidence{ref.Observed("no Ready condition")}
	if condition := readyCondition(node); condition != nil {
		since, health.Ready = condition.LastTransitionTime.Time, SaysReady(node)
		if condition.Reason != "NodeStatusNeverUpdated" {
			health.details.Since = &since
		}
		ready := ref.Observed("condition Ready is %s: %s", condition.Status, condition.Reason)
		if !since.IsZero() {
			ready.Observed += ", for " + c.Session.Ago(since)
			ready = ready.When(since)
		}
		health.Evidence = []finding.Evidence{ready}
	}
	if c.Session.Now().Sub(since) < nodeMayReturn {
		health.certainty = finding.Likely
	}
	c.addLease(ctx, node.Name, &health)
	return health
}

// SaysReady reports whether a Node's Ready condition says that its kubelet answers: the only thing that matters to
// controllers that read nothing but the Node. NodeHealth knows more.
func SaysReady(node *corev1.Node) bool {
	condition := readyCondition(node)
	return condition != nil && condition.Status == corev1.ConditionTrue
}

func readyCondition(node *corev1.Node) *corev1.NodeCondition {
	is := func(condition corev1.NodeCondition) bool { return condition.Type == corev1.NodeReady }
	if at := slices.IndexFunc(node.Status.Conditions, is); at >= 0 {
		return &node.Status.Conditions[at]
	}
	return nil
}

func (c *Checker) addLease(ctx context.Context, node string, health *NodeHealth) {
	lease := session.Named(cluster.Leases(), corev1.NamespaceNodeLease, node)
	read, err := c.Lease(ctx, lease)
	switch {
	case apierrors.IsNotFound(err):
		missing := finding.Observed(lease.Ref.String(), "not found, so no kubelet renews it")
		health.Evidence, health.Leaseless = append(health.Evidence, missing), health.Ready
	case err != nil:
		health.Unread = err
	}
	if err != nil || read.Spec.RenewTime == nil {
		return // the condition stands by itself
	}
	at := read.Spec.RenewTime.Time
	lease.Ref.UID = string(read.UID)
	renewed := lease.Ref.Observed("the kubelet last renewed it %s ago", c.Session.Ago(at)).When(at)
	health.Evidence = append(health.Evidence, renewed)
	if health.Ready && !LeaseLive(read, c.Session.Now()) {
		health.Ready, health.certainty = false, finding.Likely
		health.details = finding.NodeNotReadyDetails{Since: &at, Silent: true}
	}
}

// State completes "Node X …", of one that isn't ready.
func (n NodeHealth) State() finding.Phrase {
	return finding.Phrase{Situation: "NodeState", Details: n.details}
}

// NodeNotReady is the cause of every pod that waits for a kubelet which doesn't answer. deletedAt is when the Node's
// own deletion was requested, where the pod needn't outlast it.
func (c *Checker) NodeNotReady(pod, node *session.Object, health NodeHealth, deletedAt *time.Time) finding.Finding {
	details := health.details
	details.DeletedAt = deletedAt
	const outOfService = corev1.TaintNodeOutOfService + "=nodeshutdown:NoExecute"
	taint := c.Session.Kubectl.Prefix(node.Ref, "taint", "nodes", node.Ref.Name, outOfService)
	return finding.Finding{
		Reason: finding.NodeNotReady, Situation: "NodeNotReady", Object: node.Ref, Certainty: health.certainty,
		Details: details, Evidence: health.Evidence,
		Remedies: []finding.Remedy{
			{Step: "BringNodeBack", Command: c.Session.Kubectl.Command(node, "describe")},
			{Step: "MarkNodeOutOfService", Details: details, Command: taint, Risk: finding.Disruption},
			c.Forget(pod, node),
		},
	}
}

// Forget is the last resort that takes a pod's grace period away, for a node that doesn't answer, or for none. Its
// command doesn't wait: what else holds the pod would keep it waiting for ever.
func (c *Checker) Forget(pod, node *session.Object) finding.Remedy {
	details := finding.StepDetails{Object: &pod.Ref, Names: pod.Meta.Finalizers}
	if node != nil {
		details.Other = &node.Ref
	}
	return finding.Remedy{
		Step: "ForgetPod", Details: details, Risk: finding.DataLoss,
		Command: c.Session.Kubectl.Command(pod, "delete", "--grace-period=0", "--force", "--wait=false"),
	}
}
