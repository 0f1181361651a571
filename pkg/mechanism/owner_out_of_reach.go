package mechanism

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ownerUndiscovered explains a blocking dependent with another owner of a group version that can't be discovered: the
// garbage collector can't look that owner up, and leaves the dependent alone until it can
// (docs/deletion.md#how-owner-references-are-judged). It answers false when there is none.
func ownerUndiscovered(ctx context.Context, t *Tools, owner, dependent *Object) (Answer, bool) {
	servedKinds := t.Session.ServedKinds(ctx)
	for _, reference := range dependent.Meta.OwnerReferences {
		version := schema.FromAPIVersionAndKind(reference.APIVersion, reference.Kind).GroupVersion()
		servedKinds.Ask(version.Group)
		failure, failed := servedKinds.Failed[version]
		if !failed || string(reference.UID) == owner.Ref.UID {
			continue
		}
		named := ownership.Judged{Reference: reference}.Named()
		down, found, err := ownerServerDown(ctx, t, version, failure)
		switch {
		case err == nil && !found && t.Session.Since(owner) >= session.Patience:
			continue // that the collector has not acted is known, and why is not
		case !found:
			return session.Unread(finding.Unread{Aspect: finding.OtherOwner, Object: &named}, failure), true
		}
		details, _ := down.Details.(finding.GroupVersionDetails)
		details.Dependent, details.Unresolved = &dependent.Ref, &named
		down.Situation, down.Details = "OwnerServerDown", details
		down.Evidence = append([]Evidence{referenceTo(dependent, named)}, down.Evidence...)
		// Without its APIService the group is not served, and the collector can't look the owner up either.
		down.Remedies = slices.DeleteFunc(slices.Clone(down.Remedies), func(step Remedy) bool {
			return finding.Is(step.Step, finding.Deletes)
		})
		down.Remedies = append(down.Remedies, StopWaiting(t.Session, owner.Ref, true))
		return session.AwaitAnswer(session.Named(cluster.APIServices(), "", down.Object.Name), down), true
	}
	return Answer{}, false
}

// ownerServerDown is the cause of an APIService whose backend kube-apiserver does not reach: it refuses all requests
// for objects of the group, too. It answers false where that is not so, and an error where that could not be read.
func ownerServerDown(
	ctx context.Context, t *Tools, version schema.GroupVersion, failure error,
) (down Finding, found bool, err error) {
	services, err := apiServices(ctx, t.Session, []schema.GroupVersion{version})
	if err != nil || services[version] == nil {
		return Finding{}, false, err
	}
	one := undiscoverable{version: version, failure: failure.Error(), object: services[version]}
	registered, err := session.As[health.APIService](one.object.Whole)
	if err != nil || registered.Spec.Service == nil || registered.Available().Status == metav1.ConditionTrue {
		return Finding{}, false, err
	}
	backend := t.Health.Backend(ctx, registered.Backend())
	return apiServiceDown(t.Session, nil, one, registered, backend, nil), true, nil
}

// ownerDamaged explains a blocking dependent with another owner that could not be read because of what is in storage:
// the garbage collector can't read it either. It answers false where the read failed for another reason.
func ownerDamaged(ctx context.Context, t *Tools, owner, dependent *Object, other ownership.Judged) (Answer, bool) {
	if other.Err == nil {
		return Answer{}, false
	}
	named := other.Named()
	kind := schema.FromAPIVersionAndKind(named.APIVersion, named.Kind).GroupKind()
	resource, known := t.Session.ServedKinds(ctx).OfKind(kind)
	if !known {
		return Answer{}, false
	}
	at := session.Named(resource, dependent.Ref.Namespace, named.Name)
	return damagedRead(ctx, t.Session, t.Health, owner, at, other.Err, referenceTo(dependent, named))
}
