package health

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// recently is how old a write of kube-controller-manager may be that shows, in the first moments of a deletion, that it
// runs: it has had no time yet to write anything about that.
const recently = 10 * time.Minute

// managerTrace is what shows that kube-controller-manager works, where its Lease doesn't.
type managerTrace struct {
	evidence finding.Evidence
	at       time.Time
	complete bool // all that may show it could be read
}

// managerTraces looks for the latest thing that kube-controller-manager did: with the object that is asked about, with
// the certificate authority that it keeps in every namespace, with nodes, or in an event about the object. It is
// content with the first that happened after a time. Where leader election is off or hidden, nothing else shows that
// it runs.
func (p *ControlPlane) managerTraces(ctx context.Context, about *session.Object, after time.Time) managerTrace {
	trace := managerTrace{complete: true}
	newer := func(ref finding.Ref, at time.Time, did string) {
		if at.After(trace.at) {
			seen := ref.Observed("%s %s, %s ago", session.ControllerManager, did, p.session.Ago(at)).When(at)
			trace.evidence, trace.at = seen, at
		}
	}
	written := func(ref finding.Ref, meta *metav1.PartialObjectMetadata) {
		newer(ref, session.LastWrite(meta, session.ControllerManager), "wrote to it")
	}
	if about != nil && about.Meta != nil {
		written(about.Ref, about.Meta)
	}
	for _, look := range []func() error{
		func() error { return rootCertificates(ctx, p.session, about, written) },
		func() error { return nodesWritten(ctx, p.session, written) },
		func() error { return p.managerEvents(ctx, about, newer) },
	} {
		if trace.at.After(after) {
			break
		}
		if err := look(); err != nil && !apierrors.IsNotFound(err) {
			trace.complete = false
		}
	}
	return trace
}

type visitWritten func(finding.Ref, *metav1.PartialObjectMetadata)

// rootCertificates visits the ConfigMap that kube-controller-manager puts into each namespace (k8s v1.37
// pkg/controller/certificates/rootcacertpublisher/publisher.go).
func rootCertificates(ctx context.Context, reads *session.Session, about *session.Object, visit visitWritten) error {
	namespace := metav1.NamespaceSystem
	switch {
	case about == nil:
	case about.Is("", "Namespace"):
		namespace = about.Ref.Name
	case about.Ref.Namespace != "":
		namespace = about.Ref.Namespace
	}
	published := session.Named(cluster.ConfigMaps(), namespace, "kube-root-ca.crt")
	meta, err := reads.Reader.Metadata(ctx, published.Resource, namespace, published.Ref.Name)
	if err == nil {
		visit(published.Ref, meta)
	}
	return err
}

func nodesWritten(ctx context.Context, reads *session.Session, visit visitWritten) error {
	nodes, err := reads.List(ctx, cluster.Nodes(), "")
	for _, node := range nodes {
		visit(node.Ref, node.Meta)
	}
	return err
}

func (p *ControlPlane) managerEvents(
	ctx context.Context, about *session.Object, newer func(finding.Ref, time.Time, string),
) error {
	if about == nil {
		return nil
	}
	events, err := p.events(ctx, about)
	for _, event := range events {
		if by := Reporter(event); slices.Contains(managerReporters(), by) {
			newer(about.Ref, EventTime(event), "reported "+event.Reason+" about it as "+by)
		}
	}
	return err
}

// managerReporters are the names under which controllers of kube-controller-manager write events (k8s v1.37
// pkg/controller, NewRecorder in each).
func managerReporters() []string {
	return []string{
		"attachdetach-controller", "controllermanager", "cronjob-controller", "daemonset-controller",
		"deployment-controller", "endpoint-controller", "endpoint-slice-controller", "ephemeral_volume",
		"garbage-collector-controller", "horizontal-pod-autoscaler", "job-controller", "node-controller",
		"persistentvolume-controller", "replicaset-controller", "replication-controller", "resource_claim",
		"statefulset-controller", "taint-eviction-controller", "volume_expand",
	}
}

// Events returns all events about an object.
func (c *Checker) Events(ctx context.Context, object *session.Object) ([]*corev1.Event, error) {
	return c.eventsOf(ctx, object, "")
}
