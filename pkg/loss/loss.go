// Package loss says what is deleted with an object when nothing holds it any more: the volume of a claim and its data,
// the data of a Secret, the dependents of an owner. It is the only place for that. Code that offers a step which
// releases an object, or takes this step, asks here.
//
// This package may change at any time.
package loss

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Teller says what goes with objects of one cluster, by what a session reads.
type Teller struct {
	Session *session.Session
	// Owners returns what the garbage collector makes of an object's owner references. Without it, nothing is known of
	// the other owners of a dependent.
	Owners func(ctx context.Context, object *session.Object) []ownership.Judged
	// Most is how many dependents are looked at for what goes with them; 0 is mostTold.
	Most int
}

// With returns what goes with an object, by its kind, when it goes. forced are the holds that are removed by force:
// their controllers then don't do their work. What could not be read may be deleted, and is reported so; what isn't
// found is gone already. What is deleted with a Namespace or a definition is named in a word, and not read.
func (t *Teller) With(ctx context.Context, object *session.Object, forced ...finding.Hold) []finding.Taken {
	switch {
	case object.Is("", "PersistentVolumeClaim"):
		return t.claim(ctx, object)
	case object.Is("", "PersistentVolume"):
		return t.volume(ctx, object, forced)
	case object.Is(snapshots, "VolumeSnapshot"):
		return t.snapshot(ctx, object)
	case object.Is(snapshots, "VolumeSnapshotContent"):
		return t.snapshotContent(ctx, object, forced)
	case object.Is("", "Secret"):
		return goes(object, finding.Taken{Situation: "SecretData", Risk: finding.DataLoss})
	case object.Is("", "Pod"):
		return t.pod(ctx, object)
	case object.Is("", "Node"):
		return t.node(ctx, object)
	case object.Is("apps", "StatefulSet"):
		return t.set(ctx, object)
	case object.Is("", "Namespace") && empties(object, forced, string(corev1.FinalizerKubernetes)):
		return goes(object, finding.Taken{Situation: "ContentDeleted", Risk: finding.DataLoss})
	case object.Is("apiextensions.k8s.io", "CustomResourceDefinition") &&
		empties(object, forced, session.CleanupFinalizer):
		return goes(object, finding.Taken{Situation: "InstancesDeleted", Risk: finding.DataLoss})
	}
	return nil
}

// Deleting returns what is deleted with an object when it is deleted: with a Service, its load balancer.
func (t *Teller) Deleting(ctx context.Context, object *session.Object) []finding.Taken {
	if object.Is("", "Service") {
		return t.Balancer(ctx, object)
	}
	return t.With(ctx, object)
}

func goes(object *session.Object, taken finding.Taken) []finding.Taken {
	taken.Object = object.Ref
	return []finding.Taken{taken}
}

// empties reports whether what is in an object is deleted before it goes: not where that is done, nor where the hold
// that waits for it is removed by force, which leaves it in storage.
func empties(object *session.Object, forced []finding.Hold, by string) bool {
	is := func(hold finding.Hold) bool { return hold.Name == by }
	return !slices.ContainsFunc(forced, is) && (!object.Terminating() || slices.ContainsFunc(object.Holds(), is))
}

func unread(ref finding.Ref, err error) *finding.Unread {
	why := finding.UnreadObject(ref).Because(err)
	return &why
}

// pod returns what only a pod has: its emptyDir volumes, and the claims that were made for it, which the garbage
// collector deletes after it (k8s v1.37 pkg/controller/volume/ephemeral/controller.go:handleVolume); and what goes with
// the claims that wait for it.
func (t *Teller) pod(ctx context.Context, object *session.Object) (taken []finding.Taken) {
	pod, err := session.ReadAs[corev1.Pod](ctx, t.Session, object)
	if err != nil {
		return nil // whoever released it could not have known either
	}
	taken = t.claimsWith(ctx, pod)
	var scratch []string
	for _, volume := range pod.Spec.Volumes {
		if volume.EmptyDir != nil && volume.EmptyDir.Medium != corev1.StorageMediumMemory {
			scratch = append(scratch, volume.Name)
		}
	}
	if len(scratch) == 0 {
		return taken
	}
	details := finding.TakenDetails{Names: scratch, Count: len(scratch)}
	kept := finding.Taken{Situation: "ScratchData", Risk: finding.Disruption, Details: details}
	return append(taken, goes(object, kept)...)
}

// claimsWith returns what goes with the claims that go with a pod.
func (t *Teller) claimsWith(ctx context.Context, pod *corev1.Pod) (taken []finding.Taken) {
	for _, volume := range pod.Spec.Volumes {
		if volume.Ephemeral != nil {
			name := pod.Name + "-" + volume.Name
			claim := session.Named(cluster.PersistentVolumeClaims(), pod.Namespace, name)
			taken = append(taken, t.claim(ctx, claim)...)
		}
	}
	for _, claim := range t.waitingClaims(ctx, pod) {
		taken = append(taken, t.claim(ctx, claim)...)
	}
	return taken
}

// node returns the pods on a Node: they are deleted by force after it has been gone for a while (k8s v1.37
// pkg/controller/podgc/gc_controller.go:gcOrphaned), and their claims with them. A finalizer keeps a pod, and what goes
// with it, for as long as it is there.
func (t *Teller) node(ctx context.Context, object *session.Object) (taken []finding.Taken) {
	selector := cluster.Selector{Fields: cluster.FieldIs("spec.nodeName", object.Ref.Name)}
	pods, err := session.ListWhole[corev1.Pod](ctx, t.Session, cluster.Pods(), "", selector)
	if err != nil {
		details := finding.TakenDetails{Unread: unread(object.Ref, err)}
		return goes(object, finding.Taken{Situation: "NodesPodsUnread", Risk: finding.Disruption, Details: details})
	}
	if len(pods) == 0 {
		return nil
	}
	stays := func(finalizer string) bool { return finalizer != batchv1.JobTrackingFinalizer } // that one goes at once
	details := finding.TakenDetails{Count: len(pods)}
	for _, pod := range pods {
		name := pod.Typed.Namespace + "/" + pod.Typed.Name
		details.Names = append(details.Names, name)
		if slices.ContainsFunc(pod.Typed.Finalizers, stays) {
			details.Held = append(details.Held, name)
		}
		taken = append(taken, t.claimsWith(ctx, pod.Typed)...)
	}
	slices.Sort(details.Names)
	slices.Sort(details.Held)
	kept := finding.Taken{Situation: "PodsOfNode", Risk: finding.Disruption, Details: details}
	return append(taken, goes(object, kept)...)
}

// set returns the claims that are deleted with a StatefulSet (k8s v1.37
// pkg/controller/statefulset/stateful_set_utils.go:updateClaimOwnerRefForSetAndPod).
func (t *Teller) set(ctx context.Context, object *session.Object) []finding.Taken {
	set, err := session.ReadAs[appsv1.StatefulSet](ctx, t.Session, object)
	var details finding.TakenDetails
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		details.Unread = unread(object.Ref, err)
	case set.Spec.PersistentVolumeClaimRetentionPolicy == nil || len(set.Spec.VolumeClaimTemplates) == 0:
		return nil
	default:
		details.Policy = string(set.Spec.PersistentVolumeClaimRetentionPolicy.WhenDeleted)
		if details.Policy != string(appsv1.DeletePersistentVolumeClaimRetentionPolicyType) {
			return nil
		}
	}
	return goes(object, finding.Taken{Situation: "ClaimsOfSet", Risk: finding.DataLoss, Details: details})
}
