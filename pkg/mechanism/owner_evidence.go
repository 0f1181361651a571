package mechanism

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// invalidNamespaceEvents are the warnings of the garbage collector about a dependent's references
// (deletion-mechanics A, "Event text"). They are written only when it meets the reference, and kept
// for an hour: that there is none means nothing, and so does a refusal to list them.
func (t *Tools) invalidNamespaceEvents(ctx context.Context, dependent *session.Object) []finding.Evidence {
	namespace := dependent.Ref.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault // where events about objects without a namespace are kept
	}
	selector := cluster.Selector{Fields: "involvedObject.uid=" + dependent.Ref.UID + ",reason=" + invalidNamespace}
	listed, err := t.Session.Reader.List(ctx, cluster.Events(), namespace, selector)
	if err != nil {
		return nil
	}
	var newest []finding.Evidence
	for i := range listed {
		event, err := session.As[corev1.Event](&listed[i])
		if err != nil {
			continue
		}
		one := finding.Evidence{Source: "event " + event.Reason, Observed: event.Message, Object: &dependent.Ref}
		if at := event.LastTimestamp.Time; !at.IsZero() {
			one.At = &at
		}
		if len(newest) == 0 || one.At != nil && newest[0].At != nil && one.At.After(*newest[0].At) {
			newest = []finding.Evidence{one}
		}
	}
	return newest
}

// aboutDependent is what else is known of a dependent that the garbage collector leaves alone.
func (t *Tools) aboutDependent(ctx context.Context, owner, dependent *session.Object) []finding.Evidence {
	evidence := t.undiscovered(ctx, dependent)
	if dependent.Ref.Namespace != owner.Ref.Namespace && owner.Ref.Namespace != "" {
		evidence = append(evidence, t.invalidNamespaceEvents(ctx, dependent)...)
	}
	return append(evidence, t.Health.LeaseEvidence(ctx)...)
}

// undiscovered names owners of a dependent whose kinds nothing is known of, because discovery fails:
// while it does, the garbage collector may not be able to judge the dependent either.
func (t *Tools) undiscovered(ctx context.Context, dependent *session.Object) []finding.Evidence {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	var evidence []finding.Evidence
	for _, owner := range dependent.Meta.OwnerReferences {
		version := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupVersion()
		catalog.Ask(version.Group)
		if failure, failed := catalog.Failed[version]; failed {
			evidence = append(evidence, finding.Evidence{
				Source: "discovery",
				Observed: fmt.Sprintf("%s can't be discovered (%v), and another owner, %s %s, is of it: "+
					"the collector may be unable to judge it", version, failure, owner.Kind, owner.Name),
			})
		}
	}
	return evidence
}
