package mechanism

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Table returns the mechanisms in the order in which they are asked. The last explains every hold.
func Table() []Mechanism {
	const finalizer, volume = finding.Finalizer, "PersistentVolume"
	const claimToDevices = "ResourceClaim.resource.k8s.io"
	const class, cidr = "VolumeAttributesClass.storage.k8s.io", "ServiceCIDR.networking.k8s.io"
	byDriver, byJob, byCloud := driverDuty(), jobManagerDuty(), cloudDuty()
	return []Mechanism{
		{finding.GracePeriod, "", "Pod", whole(gracePeriod), nil},
		{finding.SpecFinalizer, string(corev1.FinalizerKubernetes), "Namespace",
			sentBy("namespace-controller", namespaceContent), nil},
		{finalizer, metav1.FinalizerDeleteDependents, "",
			sentBy(session.GarbageCollector, always(foregroundDeletion)), nil},
		{finalizer, metav1.FinalizerOrphanDependents, "",
			sentBy(session.GarbageCollector, always(orphanDeletion)), nil},
		{finalizer, "kubernetes.io/pvc-protection", "PersistentVolumeClaim",
			sentBy("pvc-protection-controller", always(claimProtection)), nil},
		{finalizer, "kubernetes.io/pv-protection", volume,
			sentBy("pv-protection-controller", whole(volumeProtection)), nil},
		{finalizer, session.CleanupFinalizer, "CustomResourceDefinition.apiextensions.k8s.io", whole(definitionCleanup), nil},
		{finalizer, "", "", unreadableKind, nil},
		{finalizer, inTreeFinalizer, volume, sentBy("persistent-volume-binder", whole(inTreeReclaim)), nil},
		{finalizer, provisionerFinalizer, volume, volumeReclaim, byDriver},
		{finalizer, attacherPrefix, volume, volumeReclaim, byDriver},
		{finalizer, attacherPrefix, "VolumeAttachment.storage.k8s.io", whole(volumeDetachment), byDriver},
		{finalizer, "kubernetes.io/vac-protection", class,
			sentBy("volumeattributesclass-protection-controller", always(attributesClassProtection)), nil},
		{finalizer, batchv1.JobTrackingFinalizer, "Pod", sentBy("job-controller", always(jobTracking)), byJob},
		{finalizer, resourcev1.Finalizer, claimToDevices,
			sentBy("resource-claim-controller", whole(resourceClaimProtection)), nil},
		{finalizer, "dra.k8s.io/delete-protection", claimToDevices,
			sentBy("resource-claim-controller", whole(resourceClaimProtection)), nil}, // until 1.31
		{finalizer, "networking.k8s.io/service-cidr-finalizer", cidr,
			sentBy("service-cidrs-controller", always(serviceRangeProtection)), nil},
		{finalizer, "scheduling.k8s.io/podgroup-protection", "PodGroup.scheduling.k8s.io",
			sentBy("podgroup-protection-controller", always(podGroupProtection)), nil},
		{finalizer, "service.kubernetes.io/load-balancer-cleanup", "Service", always(loadBalancerCleanup), byCloud},
		{finalizer, "", "", nodeDrain, nil},
		{finalizer, "", "", declaredWait, nil},
		{finalizer, "", "", declaredUse, nil},
		{finalizer, "", "", knownFinalizer, nil},
		{finalizer, "", "", misspeltFinalizer, nil},
		{"", "", "", always(unidentifiedFinalizer), nil},
	}
}

// sentBy is a mechanism for holds that are ended by a controller of kube-controller-manager, by its account in
// kube-system.
func sentBy(account string, explain explainer) explainer {
	return func(ctx context.Context, t *Tools, held Held) (answer Answer, mine bool) {
		held.By = account
		answer, mine = explain(ctx, t, held)
		answer.By = refusal.SystemAccount(account)
		return answer, mine
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
