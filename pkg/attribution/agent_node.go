package attribution

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// ofGoneNode answers for an object whose controller has a pod on each Node, and which names a Node that doesn't exist:
// the pod that would remove the finalizer can't run, however well the others do. Only a Node that a field names as one
// is looked up, and nothing follows where another Node that the object names is there, or one can't be read.
func ofGoneNode(ctx context.Context, h *held, c *candidate) (finding.Finding, bool) {
	if c == nil || c.workload == nil || c.workload.Resource.Kind != "DaemonSet" || !h.instance(ctx) ||
		h.object.Whole == nil {
		return finding.Finding{}, false
	}
	named := nodeFieldsOf(h.object.Whole.Object)
	for _, one := range named {
		runsOn := func(pod *corev1.Pod) bool { return pod.Spec.NodeName == one.node }
		if slices.ContainsFunc(c.pods, runsOn) {
			return finding.Finding{}, false
		}
		_, err := h.search.session.Reader.Metadata(ctx, cluster.Nodes(), "", one.node)
		if !apierrors.IsNotFound(err) {
			return finding.Finding{}, false
		}
	}
	if len(named) == 0 {
		return finding.Finding{}, false
	}
	first := named[0]
	node, field := session.Named(cluster.Nodes(), "", first.node), switches.Field(first.path)
	cause := h.cause(finding.ControllerMissing, c, []finding.Remedy{{
		Step: "BringBackNode", Details: finding.StepDetails{Object: &node.Ref}, Risk: finding.NoRisk,
	}})
	cause.Situation, cause.Key = "AgentNodeGone", finding.KeyOf(h.key("gone node", c), first.node)
	cause.Details = finding.AgentNodeDetails{Controller: c.workload.Ref, Node: node.Ref, Field: field}
	cause.Evidence = append(cause.Evidence,
		h.object.Ref.Observed("%s: %s", field, first.node), node.Ref.Observed("not found"))
	return cause, true
}
