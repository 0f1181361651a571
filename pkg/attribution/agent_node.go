package attribution

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// ofGoneNode answers for an object whose controller has a pod on each Node, and which names a Node that doesn't exist:
// the pod that would remove the finalizer can't run, however well the others do. A field's name may mean something else
// than a Node: what it names is one only if that can't be, or if another object of the kind has a Node of this cluster
// there. Nothing follows where another Node that the object names is there, or one can't be read.
func ofGoneNode(ctx context.Context, h *held, c *candidate) (finding.Finding, bool) {
	if c == nil || c.workload == nil || c.workload.Resource.Kind != "DaemonSet" || !h.instance(ctx) ||
		h.object.Whole == nil {
		return finding.Finding{}, false
	}
	named := nodeFieldsOf(h.object.Whole.Object)
	for _, one := range named {
		if runsOn(c, one.node) {
			return finding.Finding{}, false
		}
		_, err := h.search.session.Reader.Metadata(ctx, cluster.Nodes(), "", one.node)
		if !apierrors.IsNotFound(err) {
			return finding.Finding{}, false
		}
	}
	named = slices.DeleteFunc(named, func(one nodeField) bool { return !one.sure() && !holdsNodes(ctx, h, c, one) })
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

// runsOn reports whether a pod of a candidate is on a Node.
func runsOn(c *candidate, node string) bool {
	return slices.ContainsFunc(c.pods, func(pod *corev1.Pod) bool { return pod.Spec.NodeName == node })
}

// holdsNodes reports whether another object of the held one's kind has a Node in the same field, on which the candidate
// has a pod.
func holdsNodes(ctx context.Context, h *held, c *candidate, field nodeField) bool {
	siblings, err := h.search.session.Reader.List(ctx, h.object.Resource, h.object.Ref.Namespace, cluster.Selector{})
	return err == nil && slices.ContainsFunc(siblings, func(sibling unstructured.Unstructured) bool {
		return slices.ContainsFunc(nodeFieldsOf(sibling.Object), func(one nodeField) bool {
			return slices.Equal(one.path, field.path) && runsOn(c, one.node)
		})
	})
}
