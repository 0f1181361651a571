package health

import (
	"context"
	"fmt"

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
func (c *Checker) WorkloadOf(ctx context.Context, pod *session.Object) *session.Object {
	catalog, err := c.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	var top *session.Object
	for at, depth := pod, 0; at.Meta != nil && depth < workloadDepth; depth++ {
		owner := metav1.GetControllerOfNoCopy(at.Meta)
		if owner == nil {
			break
		}
		resource, served := catalog.OfKind(schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind())
		if !served || !resource.Namespaced {
			break
		}
		top = session.Named(resource, pod.Ref.Namespace, owner.Name)
		top.Ref.UID = string(owner.UID)
		meta, err := c.Session.Reader.Metadata(ctx, resource, top.Ref.Namespace, top.Ref.Name)
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
func (c *Checker) StopUsing(ctx context.Context, user, workload *session.Object) []finding.Remedy {
	keep := finding.Remedy{
		Action:  "See what it does before you stop it.",
		Command: c.Session.Kubectl.Command(user, "describe"),
		Risk:    finding.NoRisk,
	}
	stop := finding.Remedy{Risk: finding.Disruption, Loses: "what it does while it is stopped"}
	var before []finding.Remedy
	switch {
	case workload == nil:
		stop.Action = "Stop the pod. Nothing starts it again."
		stop.Command = c.Session.Kubectl.Command(user, "delete")
		stop.Loses = "the pod and what it does"
	case workload.Resource.Group == "apps" && workload.Resource.Kind != "DaemonSet":
		stop.Action = fmt.Sprintf("Scale %s down to nothing.", workload.Ref)
		stop.Command = c.Session.Kubectl.Command(workload, "scale", "--replicas=0")
		before = c.claimsAtStake(ctx, workload, &stop)
	case workload.Is("batch", "Job"):
		stop.Action = fmt.Sprintf("Delete %s, and its pods with it.", workload.Ref)
		stop.Command = c.Session.Kubectl.Command(workload, "delete", "--wait=false")
		stop.Loses = "what the job was doing, and its record"
	default:
		stop.Action = fmt.Sprintf("Stop it through %s, which would replace a deleted pod.", workload.Ref)
		stop.Command = c.Session.Kubectl.Command(workload, "describe")
		stop.Risk, stop.Loses = finding.NoRisk, ""
	}
	return append(append([]finding.Remedy{keep}, before...), stop)
}

// claimsAtStake says whether a StatefulSet that is scaled down takes its claims with it, also those that nobody has
// deleted, and how to keep them (k8s v1.37 pkg/controller/statefulset/stateful_set_utils.go:updateClaimOwnerRefForSetAndPod).
func (c *Checker) claimsAtStake(ctx context.Context, workload *session.Object, stop *finding.Remedy) []finding.Remedy {
	if !workload.Is("apps", "StatefulSet") {
		return nil
	}
	policy := "can't be read"
	if whole, err := c.Session.Whole(ctx, workload); err == nil {
		policy, _, _ = unstructured.NestedString(whole.Object, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled")
		if policy != "Delete" {
			return nil
		}
	}
	stop.Risk = finding.DataLoss
	stop.Loses = "what it does while it is stopped; and as long as whenScaled of its persistentVolumeClaimRetentionPolicy is Delete, ALL ITS CLAIMS, those that nobody has deleted too, with what is on their volumes"
	return []finding.Remedy{{
		Action:  fmt.Sprintf("Before you scale it down, make sure that %s keeps its claims: whenScaled of its persistentVolumeClaimRetentionPolicy is %s.", workload.Ref, policy),
		Command: c.Session.Kubectl.Command(workload, "patch", "--type=merge", "-p", `{"spec":{"persistentVolumeClaimRetentionPolicy":{"whenScaled":"Retain"}}}`),
		Risk:    finding.NoRisk,
	}}
}
