package mechanism

import (
	"context"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// longestRetry is the longest time between two attempts of the garbage collector at the same dependent (k8s v1.37
// client-go/util/workqueue/default_rate_limiters.go:DefaultTypedControllerRateLimiter).
const longestRetry = 1000 * time.Second

// repair is a change after which the garbage collector can judge a dependent that it may have failed at before. It
// learns of that only when it tries again (docs/deletion.md#after-a-repair).
type repair struct {
	at       time.Time // zero if nothing shows that it was one, and when it was made
	evidence Evidence
}

// lastRepair looks for what was repaired about the owner references of a dependent, so recently that the garbage
// collector may not have tried again: references that were written, and nothing else, since the owner's deletion, or a
// kind of an owner that is younger than the dependent. It answers nil if nothing shows a repair.
func lastRepair(ctx context.Context, reads *session.Session, owner, dependent *Object) (found *repair, err error) {
	recent := func(at time.Time) bool { return reads.Now().Sub(at) < longestRetry }
	for _, reference := range dependent.Meta.OwnerReferences {
		since, evidence, err := servedSince(ctx, reads, dependent, reference)
		if err != nil {
			return nil, err
		}
		if since.After(dependent.Meta.CreationTimestamp.Time) && recent(since) {
			return &repair{since, evidence}, nil
		}
	}
	meta := dependent.Meta
	if len(meta.ManagedFields) == 0 { // a survey leaves them out
		if meta, err = reads.Reader.Metadata(ctx, dependent.Resource, meta.Namespace, meta.Name); err != nil {
			return nil, ignoreNotFound(err)
		}
	}
	deleted, dated := owner.RequestedAt().Truncate(time.Second), false
	for _, write := range slices.Backward(writers.LastWrites(meta.ManagedFields)) {
		if !write.At.After(meta.CreationTimestamp.Time) {
			continue // it was created so, maybe in the second of the deletion
		}
		dated = dated || !write.At.Before(deleted)
		if write.At.Before(deleted) || !write.OnlyOwners || !recent(write.At) {
			continue
		}
		evidence := finding.Observed("managedFields", "%s wrote its owner references %s ago", write.Manager,
			reads.Ago(write.At)).Of(dependent.Ref).When(write.At)
		return &repair{write.At, evidence}, nil
	}
	if !dated && later(dependent, owner) {
		return &repair{evidence: finding.Observed("resourceVersion",
			"changed after the owner's deletion; managedFields do not show when, as after a removal").Of(dependent.Ref)}, nil
	}
	return nil, nil
}

// later reports whether an object was written after another one. Versions of resources count the writes to a storage
// (k8s v1.37 apimachinery/pkg/util/resourceversion/resourceversion.go:CompareResourceVersion).
func later(object, other *Object) bool {
	version, err := strconv.ParseUint(object.Meta.ResourceVersion, 10, 64)
	than, otherErr := strconv.ParseUint(other.Meta.ResourceVersion, 10, 64)
	return err == nil && otherErr == nil && version > than
}

// servedSince returns since when the kind that an owner reference names is defined, or its aggregated API answers. It
// is zero for kinds of Kubernetes, and for kinds that are not served.
func servedSince(
	ctx context.Context, reads *session.Session, dependent *Object, reference metav1.OwnerReference,
) (since time.Time, evidence Evidence, err error) {
	kind := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind)
	resource, served := reads.ServedKinds(ctx).OfKind(kind.GroupKind())
	if !served || cluster.ServedByKubernetes(kind.Group) {
		return time.Time{}, Evidence{}, nil
	}
	definition := session.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	meta, err := reads.Reader.Metadata(ctx, definition.Resource, "", definition.Ref.Name)
	switch {
	case err == nil:
		since = meta.CreationTimestamp.Time
		return since, definition.Ref.Observed("created %s ago", reads.Ago(since)).When(since), nil
	case !apierrors.IsNotFound(err):
		return time.Time{}, Evidence{}, err
	}
	service := session.Named(cluster.APIServices(), "", kind.Version+"."+kind.Group)
	registered, err := session.ReadAs[health.APIService](ctx, reads, service)
	if err != nil {
		return time.Time{}, Evidence{}, ignoreNotFound(err)
	}
	available := registered.Available()
	if available.Status == metav1.ConditionTrue {
		since = available.LastTransitionTime.Time
	}
	return since, service.Ref.Observed("available since %s", reads.Ago(since)).When(since), nil
}

// retried answers for a dependent that the garbage collector is late with, and tries again after a repair.
func (r repair) retried(ctx context.Context, t *Tools, left Finding) Answer {
	details := left.Details.(finding.DependentNotDeletedDetails)
	left.Evidence = append(t.Health.ControlPlane.LeaseEvidence(ctx), r.evidence)
	if r.at.IsZero() {
		left.Situation, left.Key = "CollectorMayRetry", ""
		return session.Open(left)
	}
	left.Situation, left.Key, left.Remedies, left.Until = "CollectorRetries", "", nil, r.at.Add(longestRetry)
	details.RepairedAt, details.Until = &r.at, &left.Until
	left.Details = details
	return session.Progress(left)
}
