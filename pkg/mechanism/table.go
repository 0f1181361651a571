package mechanism

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Table returns the mechanisms in the order in which they are asked. The last explains every hold.
func Table() []Mechanism {
	const finalizer, volume = finding.Finalizer, "PersistentVolume"
	const claimToDevices = "ResourceClaim.resource.k8s.io"
	const class, cidr = "VolumeAttributesClass.storage.k8s.io", "ServiceCIDR.networking.k8s.io"
	return []Mechanism{
		{finding.GracePeriod, "", "Pod", whole(gracePeriod)},
		{finding.SpecFinalizer, string(corev1.FinalizerKubernetes), "Namespace", namespaceContent},
		{finalizer, metav1.FinalizerDeleteDependents, "", always(foregroundDeletion)},
		{finalizer, metav1.FinalizerOrphanDependents, "", always(orphanDeletion)},
		{finalizer, "kubernetes.io/pvc-protection", "PersistentVolumeClaim", always(claimProtection)},
		{finalizer, "kubernetes.io/pv-protection", volume, whole(volumeProtection)},
		{finalizer, session.CleanupFinalizer, "CustomResourceDefinition.apiextensions.k8s.io", whole(definitionCleanup)},
		{finalizer, "", "", unreadableKind},
		{finalizer, inTreeFinalizer, volume, whole(inTreeReclaim)},
		{finalizer, provisionerFinalizer, volume, volumeReclaim},
		{finalizer, attacherPrefix, volume, volumeReclaim},
		{finalizer, attacherPrefix, "VolumeAttachment.storage.k8s.io", whole(volumeDetachment)},
		{finalizer, "kubernetes.io/vac-protection", class, always(attributesClassProtection)},
		{finalizer, batchv1.JobTrackingFinalizer, "Pod", always(jobTracking)},
		{finalizer, resourcev1.Finalizer, claimToDevices, whole(resourceClaimProtection)},
		{finalizer, "dra.k8s.io/delete-protection", claimToDevices, whole(resourceClaimProtection)}, // until 1.31
		{finalizer, "networking.k8s.io/service-cidr-finalizer", cidr, always(serviceRangeProtection)},
		{finalizer, "scheduling.k8s.io/podgroup-protection", "PodGroup.scheduling.k8s.io", always(podGroupProtection)},
		{finalizer, "service.kubernetes.io/load-balancer-cleanup", "Service", always(loadBalancerCleanup)},
		{finalizer, "", "", nodeDrain},
		{finalizer, "", "", declaredWait},
		{finalizer, "", "", declaredUse},
		{finalizer, "", "", knownFinalizer},
		{"", "", "", always(unidentifiedFinalizer)},
	}
}

// always is a mechanism that answers for each hold that it is asked about.
func always(explain func(context.Context, *Tools, Held) Answer) explainer {
	return func(ctx context.Context, t *Tools, held Held) (Answer, bool) { return explain(ctx, t, held), true }
}

func whole[T any](explain func(context.Context, *Tools, Held, *T) Answer) explainer {
	return always(func(ctx context.Context, t *Tools, held Held) Answer {
		typed, answer := session.WholeAs[T](ctx, t.Session, held.Object)
		if typed == nil {
			return answer
		}
		return explain(ctx, t, held, typed)
	})
}
