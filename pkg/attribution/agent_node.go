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

// agentNode is the Node that an object names, whose pod of the controller would remove the finalizer: the one that
// acts for the object, however well the others do.
type agentNode struct {
	field nodeField
	node  *session.Object
	gone  bool // that Node does not exist
}

// ofAgentNode answers for an object whose controller has a pod on each Node, and which names a Node where none of
// those is ready. A field's name may mean something else than a Node: what it names is one only if that can't be, if
// the controller has a pod on a Node of that name, or if an object of the kind has one of its Nodes there. Nothing
// follows where a pod is ready on another Node that the object names, or one can't be read; nor where the pods elect
// one that acts for all of them, or any acts in the end, by the catalogue.
func ofAgentNode(ctx context.Context, h *held, c *candidate) (session.Answer, bool) {
	if c == nil || c.workload == nil || c.workload.Resource.Kind != "DaemonSet" || !h.instance(ctx) ||
		h.object.Whole == nil || h.search.criteria.known != nil && h.search.criteria.known.StandsIn {
		return session.Answer{}, false
	}
	var named []agentNode
	for _, field := range nodeFieldsOf(h.object.Whole.Object) {
		if slices.ContainsFunc(podsOn(c, field.node), podReady) {
			return session.Answer{}, false
		}
		node, err := h.search.session.Read(ctx, cluster.Nodes(), "", field.node)
		switch {
		case err != nil && !apierrors.IsNotFound(err):
			return session.Answer{}, false
		case err != nil:
			named = append(named, agentNode{field: field, node: session.Named(cluster.Nodes(), "", field.node), gone: true})
		default:
			named = append(named, agentNode{field: field, node: node})
		}
	}
	named = slices.DeleteFunc(named, func(one agentNode) bool {
		its := !one.gone && len(podsOn(c, one.field.node)) > 0
		return !one.field.sure() && !its && !holdsNodes(ctx, h, c, one.field)
	})
	switch {
	case len(named) == 0:
		return session.Answer{}, false
	case !slices.ContainsFunc(named, func(one agentNode) bool { return !one.gone }):
		return session.Cause(agentNodeGone(h, c, named[0])), true
	case c.leads || c.holder != "":
		return session.Answer{}, false
	}
	there := slices.DeleteFunc(named, func(one agentNode) bool { return one.gone })
	if slices.ContainsFunc(there, func(one agentNode) bool { return one.field.node != there[0].field.node }) {
		return session.Answer{}, false
	}
	return agentDown(ctx, h, c, there[0])
}

// agentNodeGone is about a pod that can't run, because there is no such Node.
func agentNodeGone(h *held, c *candidate, named agentNode) finding.Finding {
	cause := h.cause(finding.ControllerMissing, c, []finding.Remedy{{
		Step: "BringBackNode", Details: finding.StepDetails{Object: &named.node.Ref}, Risk: finding.NoRisk,
	}})
	cause.Situation, cause.Key = "AgentNodeGone", finding.KeyOf(h.key("gone node", c), named.field.node)
	cause.Details = finding.AgentNodeDetails{Controller: c.workload.Ref, Node: named.node.Ref, Field: named.path()}
	cause.Evidence = append(cause.Evidence, named.evidence(h), named.node.Ref.Observed("not found"))
	return cause
}

// agentDown is about a pod that doesn't run on a Node that exists, or isn't ready there. One that may only be starting,
// or whose Node may only be late, is no cause yet.
func agentDown(ctx context.Context, h *held, c *candidate, named agentNode) (session.Answer, bool) {
	found := h.search.health.OutageOn(ctx, c.workload, podsOn(c, named.field.node), named.node)
	if found.Unread != nil {
		return session.Answer{}, false
	}
	idle := *c
	idle.evidence = append(append(slices.Clone(c.evidence), named.evidence(h)), found.Evidence...)
	on := finding.AgentNodeDetails{Node: named.node.Ref, State: &found.Words}
	idle.status = finding.Phrase{Situation: "OnNode", Details: on}
	idle.starting, idle.until, idle.node = found.Starting, found.Until, named.field.node
	idle.remedies = ThenFinishes(found.Remedies)
	return h.down(&idle), true
}

func (n agentNode) path() string { return switches.Field(n.field.path) }

func (n agentNode) evidence(h *held) finding.Evidence {
	return h.object.Ref.Observed("%s: %s", n.path(), n.field.node)
}

// podsOn are a candidate's pods on a Node.
func podsOn(c *candidate, node string) (pods []*corev1.Pod) {
	for _, pod := range c.pods {
		if pod.Spec.NodeName == node {
			pods = append(pods, pod)
		}
	}
	return pods
}

// holdsNodes reports whether an object of the held one's kind has a Node in the same field, on which the candidate has
// a pod.
func holdsNodes(ctx context.Context, h *held, c *candidate, field nodeField) bool {
	siblings, err := h.search.session.Reader.List(ctx, h.object.Resource, h.object.Ref.Namespace, cluster.Selector{})
	return err == nil && slices.ContainsFunc(siblings, func(sibling unstructured.Unstructured) bool {
		return slices.ContainsFunc(nodeFieldsOf(sibling.Object), func(one nodeField) bool {
			return slices.Equal(one.path, field.path) && len(podsOn(c, one.node)) > 0
		})
	})
}
