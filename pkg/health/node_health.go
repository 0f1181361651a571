package health

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

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

// firstMoment is how long it means nothing yet that a kubelet is silent, or that it says that its node isn't ready: it
// may be late, restart or boot. Kubernetes itself waits as long for the first sign of a new Node, and a little less for
// the next one of another (NodeStartupGracePeriod, and NodeMonitorGracePeriod with NodeMonitorPeriod, k8s v1.37
// pkg/controller/nodelifecycle/config/v1alpha1/defaults.go).
const firstMoment = time.Minute

// NodeHealth judges a Node by its Ready condition and by its kubelet's Lease, which is fresher: the condition lags
// behind a kubelet's death by most of a minute (docs/deletion.md#grace-period).
func (c *Checker) NodeHealth(ctx context.Context, node *corev1.Node) NodeHealth {
	ref := finding.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	beat := c.heartbeat(ctx, node.Name)
	health, since := NodeHealth{certainty: finding.Proven, Unread: beat.unread}, node.CreationTimestamp.Time
	health.Evidence = []finding.Evidence{ref.Observed("no Ready condition")}
	condition := readyCondition(node)
	if condition != nil {
		since, health.Ready = condition.LastTransitionTime.Time, SaysReady(node)
		ready := ref.Observed("%s",
			finding.ByColons("condition Ready is "+string(condition.Status), condition.Reason, kubeletSays(condition)))
		if !since.IsZero() {
			ready.Observed += ", for " + c.Session.Ago(since)
			ready = ready.When(since)
		}
		health.Evidence = []finding.Evidence{ready}
	}
	health.Leaseless = health.Ready && beat.missing
	health.Evidence = append(health.Evidence, beat.evidence...)
	if c.Session.Now().Sub(since) < nodeMayReturn {
		health.certainty = finding.Likely
	}
	if health.Ready && !beat.at.IsZero() && !beat.live {
		health.Ready, health.certainty = false, finding.Likely
	}
	if !health.Ready {
		health.details = unreadyNode(c.Session, node, condition, beat)
	}
	return health
}

// unready says in which way a Node isn't ready, and since when. In its first moment that counts from the last sign of
// its kubelet, or from when that began to say so, by the API server's clock as far as it is known.
func unreadyNode(
	reads *session.Session, node *corev1.Node, condition *corev1.NodeCondition, beat heartbeat,
) (details finding.NodeNotReadyDetails) {
	created := node.CreationTimestamp.Time
	switch {
	case condition == nil, condition.Reason == "NodeStatusNeverUpdated":
		if inFirstMoment(reads, &details, created) {
			details.CreatedAt = &created
		}
		return details
	case condition.Status == corev1.ConditionTrue:
		details.Since, details.Silent = &beat.at, true
		inFirstMoment(reads, &details, beat.at)
		return details
	}
	since := condition.LastTransitionTime.Time
	details.Since = &since
	if condition.Status != corev1.ConditionUnknown { // the kubelet says so, by its own clock
		since, details.Reports = since.Add(-beat.ahead), condition.Message
		inFirstMoment(reads, &details, since)
		return details
	}
	if !beat.at.IsZero() && beat.at.Before(since) { // the condition came when it had been silent for a while
		since, details.Silent = beat.at, true
	}
	inFirstMoment(reads, &details, since)
	return details
}

// inFirstMoment reports whether something happened a moment ago, and notes when the moment ends. What is to happen
// later shows a clock that is wrong, and no more.
func inFirstMoment(reads *session.Session, details *finding.NodeNotReadyDetails, at time.Time) bool {
	if reads.Now().Sub(at).Abs() >= firstMoment {
		return false
	}
	ends := at.Add(firstMoment)
	details.Until = &ends
	return true
}

// InFirstMoment reports whether a Node that isn't ready may be so in a moment: nothing follows from it yet.
func (n NodeHealth) InFirstMoment() bool { return n.details.Until != nil }

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
			Forget(c.Session, pod, node),
		},
	}
}

// NodeMayReturn is what is said instead of a Node in its first moment. It is no cause yet, and nothing moves either.
func NodeMayReturn(node *session.Object, health NodeHealth) finding.Finding {
	return finding.Finding{
		Situation: "NodeMayReturn", Object: node.Ref, Details: health.details, Evidence: health.Evidence,
		Key: finding.KeyOf("NodeMayReturn", node.Ref), Until: *health.details.Until,
	}
}

// Forget is the last resort that takes a pod's grace period away, for a node that doesn't answer, or for none. Its
// command doesn't wait: what else holds the pod would keep it waiting for ever.
func Forget(reads *session.Session, pod, node *session.Object) finding.Remedy {
	details := finding.StepDetails{Object: &pod.Ref, Names: pod.Meta.Finalizers}
	if node != nil {
		details.Other = &node.Ref
	}
	return finding.Remedy{
		Step: "ForgetPod", Details: details, Risk: finding.DataLoss,
		Command: reads.Kubectl.Command(pod, "delete", "--grace-period=0", "--force", "--wait=false"),
	}
}

// kubeletSays are the words of a kubelet that runs and isn't ready, such as "node is shutting down" (k8s v1.37
// pkg/kubelet/nodestatus/setters.go:ReadyCondition). When it is silent, the words are the node controller's, which say
// no more than the status.
func kubeletSays(ready *corev1.NodeCondition) string {
	if ready.Status != corev1.ConditionFalse {
		return ""
	}
	return ready.Message
}
