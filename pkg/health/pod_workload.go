package health

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// workloadDepth bounds the walk up from a pod: ReplicaSet, Deployment, and one more for operators.
const workloadDepth = 3

// WorkloadOf follows controller references from a pod up to what runs it. It returns nil for a pod
// that runs by itself, and the last object that could be read or named otherwise.
func WorkloadOf(ctx context.Context, reads *session.Session, pod *session.Object) *session.Object {
	var top *session.Object
	for at, depth := pod, 0; at.Meta != nil && depth < workloadDepth; depth++ {
		owner := metav1.GetControllerOfNoCopy(at.Meta)
		if owner == nil {
			break
		}
		kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind()
		resource, served := reads.ServedKinds(ctx).OfKind(kind)
		if !served || !resource.Namespaced {
			break
		}
		top = session.Named(resource, pod.Ref.Namespace, owner.Name)
		top.Ref.UID = string(owner.UID)
		meta, err := reads.Reader.Metadata(ctx, resource, top.Ref.Namespace, top.Ref.Name)
		if err != nil || meta.UID != owner.UID {
			break // it is named all the same
		}
		top = session.FromMetadata(resource, meta)
		if top.Is("batch", "Job") {
			break // a CronJob above it starts other jobs, and never this one again
		}
		at = top
	}
	return top
}

// StopUsing says how to stop a running pod, through what runs it if that is known.
func StopUsing(ctx context.Context, reads *session.Session, user, workload *session.Object) []finding.Remedy {
	kubectl := reads.Kubectl
	look := finding.Remedy{Step: "LookBeforeStopping", Command: kubectl.Command(user, "describe")}
	if workload == nil {
		return []finding.Remedy{
			look, {Step: "StopPod", Command: kubectl.Command(user, "delete"), Risk: finding.Disruption},
		}
	}
	details := finding.StopDetails{Workload: workload.Ref, Appliers: session.AppliersOf(workload)}
	switch {
	case workload.Resource.Group == "apps" && workload.Resource.Kind != "DaemonSet":
		details.Policy, details.TakesClaims = takesClaims(ctx, reads, workload)
		stop := finding.Remedy{
			Step: "ScaleDown", Details: details, Command: kubectl.Command(workload, "scale", "--replicas=0"),
			Risk: finding.Disruption,
		}
		if !details.TakesClaims {
			return []finding.Remedy{look, stop}
		}
		stop.Risk = finding.DataLoss
		const retain = `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Retain"}}}`
		return []finding.Remedy{look, {
			Step: "RetainClaims", Details: details,
			Command: kubectl.Command(workload, "patch", "--type=merge", "-p", retain),
		}, stop}
	case workload.Is("batch", "Job"):
		return []finding.Remedy{look, {
			Step: "DeleteJob", Details: details, Risk: finding.Disruption,
			Command: kubectl.Command(workload, "delete", "--wait=false"),
		}}
	}
	return []finding.Remedy{look, {
		Step: "StopThroughOwner", Details: details, Command: kubectl.Command(workload, "describe"),
	}}
}

// takesClaims reports whether a StatefulSet that is scaled down takes its claims with it, also claims that were not
// deleted, and by which policy (k8s v1.37
// pkg/controller/statefulset/stateful_set_utils.go:updateClaimOwnerRefForSetAndPod). The policy is empty if it can't be
// read: then it may.
func takesClaims(ctx context.Context, reads *session.Session, workload *session.Object) (policy string, takes bool) {
	if !workload.Is("apps", "StatefulSet") {
		return "", false
	}
	whole, err := reads.Whole(ctx, workload)
	if err != nil {
		return "", true
	}
	policy, _, _ = unstructured.NestedString(whole.Object, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled")
	return policy, policy == "Delete"
}
