package mechanism

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// cloudTraces is what speaks of a cloud-controller-manager that isn't visible itself: managed clusters run it outside.
type cloudTraces struct {
	evidence []Evidence
	acted    bool // it has done something about the Service since the deletion
}

// readCloudTraces looks for what a cloud-controller-manager has done to a Service, by managedFields and events, and for
// nodes that it has initialised: they have a providerID. What can't be read of it comes with the error.
func readCloudTraces(
	ctx context.Context, reads *session.Session, checker *health.Checker, held Held,
) (found cloudTraces, unread finding.Unread, err error) {
	add := func(at time.Time, evidence Evidence) {
		found.evidence = append(found.evidence, evidence.When(at))
		found.acted = found.acted || held.Terminating() && !at.Before(held.RequestedAt())
	}
	for _, entry := range held.Meta.ManagedFields {
		if entry.Time != nil && isCloudManager(entry.Manager) {
			age := reads.Ago(entry.Time.Time)
			add(entry.Time.Time,
				finding.Observed("managedFields", "%s wrote to it %s ago", entry.Manager, age).Of(held.Ref))
		}
	}
	var events []*corev1.Event
	if held.Ref.Name != "" {
		events, err = checker.Events(ctx, held.Object)
	}
	if err != nil {
		return found, unreadKind("events", held.Ref.Namespace), err
	}
	for _, event := range events {
		if by := health.Reporter(event); by == "service-controller" || isCloudManager(by) {
			at := health.EventTime(event)
			said := held.Ref.Observed("event %s from %s, %s ago", event.Reason, by, reads.Ago(at))
			add(at, said)
		}
	}
	nodes, err := initialisedNodes(ctx, reads)
	found.evidence = append(found.evidence, nodes...)
	return found, unreadKind("nodes", ""), err
}

// isCloudManager reports whether a field manager or reporter is a cloud-controller-manager by its name:
// cloud-controller-manager, aws-cloud-controller-manager, …
func isCloudManager(name string) bool {
	return strings.Contains(name, session.CloudManager) || strings.Contains(name, "cloud-provider")
}

// fewNodes bounds how many nodes are looked at for their providerID, nodesSampled how many of more than that.
const (
	fewNodes     = 100
	nodesSampled = 8
)

// initialisedNodes is the evidence of a node with a providerID, which a cloud-controller-manager, or a kubelet on its
// behalf, has given it (k8s v1.37 cloud-provider/controllers/node/node_controller.go:syncNode).
func initialisedNodes(ctx context.Context, reads *session.Session) ([]Evidence, error) {
	node, err := initialisedNode(ctx, reads)
	if node == nil {
		return nil, err
	}
	ref := finding.Ref{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: string(node.UID)}
	known := ref.Observed("spec.providerID %s, which is set on the nodes of a cloud", node.Spec.ProviderID)
	return []Evidence{known}, nil
}

// initialisedNode returns the first node with a providerID, or nil. Where they are not listed at once, they are read
// one by one.
func initialisedNode(ctx context.Context, reads *session.Session) (found *corev1.Node, err error) {
	all, err := reads.Reader.ListUpTo(ctx, cluster.Nodes(), "", fewNodes, func(node *unstructured.Unstructured) {
		typed, err := session.As[corev1.Node](node)
		if found == nil && err == nil && typed.Spec.ProviderID != "" {
			found = typed
		}
	})
	reads.Reader.Failed(cluster.Nodes(), "", "", err)
	if all || err != nil {
		return found, err
	}
	listed, err := reads.List(ctx, cluster.Nodes(), "")
	if len(listed) > fewNodes {
		listed = listed[:nodesSampled]
	}
	for _, node := range listed {
		read, err := session.ReadAs[corev1.Node](ctx, reads, node)
		if err != nil || read.Spec.ProviderID != "" {
			return read, err
		}
	}
	return nil, err
}

// cloudManagerUnseen answers where nothing of a cloud-controller-manager is visible: with traces of one it may well run
// outside, and is given the time that a cloud takes.
func cloudManagerUnseen(
	ctx context.Context, reads *session.Session, checker *health.Checker, held Held, lease Evidence,
) Answer {
	traces, unread, err := readCloudTraces(ctx, reads, checker, held)
	if err != nil {
		answer := session.Unread(unread, err, lease)
		answer.Remarks = append(answer.Remarks, Finding{Situation: "CloudManagerAside", Object: held.Ref})
		return answer
	}
	late := held.Terminating() && reads.Since(held.Object) >= cloudPatience
	switch {
	case len(traces.evidence) == 0 || late:
		return session.Cause(cloudManagerMissing(ctx, reads, checker, held, traces.evidence, []Evidence{lease}))
	case traces.acted:
		return session.Progress(Finding{
			Situation: "LoadBalancerDue", Object: held.Ref, Details: finding.LoadBalancerDetails{},
			Evidence: append(traces.evidence, lease.Ranked(finding.Second)), // it acts without one
		})
	}
	return session.Open(Finding{
		Situation: "LoadBalancerDueOutside", Object: held.Ref, Evidence: append(traces.evidence, lease),
		Until: held.RequestedAt().Add(cloudPatience),
	})
}
