package health

import (
	"context"
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// OutageOn says why a DaemonSet has no ready pod on a Node that exists, by what Outage looks at. pods are its pods on
// that Node, none of them ready. Where there is none, its evidence is what the DaemonSet asks of Nodes, and the Node's
// taints.
func (c *Checker) OutageOn(ctx context.Context, set *session.Object, pods []*corev1.Pod, node *session.Object) Outage {
	if len(pods) > 0 {
		return c.Outage(ctx, set, pods)
	}
	evidence := []finding.Evidence{set.Ref.Observed("no pod of it is on %s", node.Ref)}
	if whole, err := c.Session.Whole(ctx, set); err == nil {
		typed, err := session.As[appsv1.DaemonSet](whole)
		if err == nil && len(typed.Spec.Template.Spec.NodeSelector) > 0 {
			selector, _ := json.Marshal(typed.Spec.Template.Spec.NodeSelector)
			evidence = append(evidence, set.Ref.Observed("nodeSelector %s", selector))
		}
	}
	if read, err := session.ReadAs[corev1.Node](ctx, c.Session, node); err == nil {
		for _, taint := range read.Spec.Taints {
			evidence = append(evidence, node.Ref.Observed("taint %s", taint.Key))
		}
	}
	return Outage{
		Words: finding.Phrase{Situation: "HasNoPodOnNode"}, Evidence: evidence, Remedies: []finding.Remedy{{
			Step: "RunOnNode", Details: finding.StepDetails{Object: &set.Ref, Other: &node.Ref},
			Command: c.Session.Kubectl.Command(node, "describe"),
		}},
	}
}
