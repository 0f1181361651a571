package facts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// workloadDepth bounds the walk up from a pod: ReplicaSet, Deployment, and one more for operators.
const workloadDepth = 3

// WorkloadOf follows controller references from a pod up to what runs it. It returns nil for a pod
// that runs by itself, and the last object that could be read or named otherwise.
func (w *World) WorkloadOf(ctx context.Context, pod *Object) *Object {
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	var top *Object
	for at, depth := pod, 0; at.Meta != nil && depth < workloadDepth; depth++ {
		owner := metav1.GetControllerOfNoCopy(at.Meta)
		if owner == nil {
			break
		}
		resource, served := catalog.OfKind(schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).GroupKind())
		if !served || !resource.Namespaced {
			break
		}
		top = Named(resource, pod.Ref.Namespace, owner.Name)
		top.Ref.UID = string(owner.UID)
		meta, err := w.Reader.Metadata(ctx, resource, top.Ref.Namespace, top.Ref.Name)
		if err != nil || meta.UID != owner.UID {
			break // it is named all the same
		}
		top = FromMetadata(resource, meta)
		if top.Is("batch", "Job") {
			break // a CronJob above it starts other jobs, and never this one again
		}
		at = top
	}
	return top
}

// StopUsing says how to stop a running pod, through what runs it if that is known.
func (w *World) StopUsing(user, workload *Object) []graph.Remedy {
	keep := graph.Remedy{
		Action:  "See what it does before you stop it.",
		Command: w.Kubectl.Command(user, "describe"),
		Risk:    graph.NoRisk,
	}
	stop := graph.Remedy{Risk: graph.Disruption, Loses: "what it does while it is stopped"}
	switch {
	case workload == nil:
		stop.Action = "Stop the pod. Nothing starts it again."
		stop.Command = w.Kubectl.Command(user, "delete")
		stop.Loses = "the pod and what it does"
	case workload.Resource.Group == "apps" && workload.Resource.Kind != "DaemonSet":
		stop.Action = fmt.Sprintf("Scale %s down to nothing.", workload.Ref)
		stop.Command = w.Kubectl.Command(workload, "scale", "--replicas=0")
	case workload.Is("batch", "Job"):
		stop.Action = fmt.Sprintf("Delete %s, and its pods with it.", workload.Ref)
		stop.Command = w.Kubectl.Command(workload, "delete", "--wait=false")
		stop.Loses = "what the job was doing, and its record"
	default:
		stop.Action = fmt.Sprintf("Stop it through %s, which would replace a deleted pod.", workload.Ref)
		stop.Command = w.Kubectl.Command(workload, "describe")
		stop.Risk, stop.Loses = graph.NoRisk, ""
	}
	return []graph.Remedy{keep, stop}
}

// Runs tells whether a name stands, as a whole, in what a pod template runs: in its containers, its ServiceAccount, the
// values of its labels, or volumes that aren't storage. Its finalizers and annotations, its storage, the devices that it
// asks for and where it may run say what its pods use, or who else has to do with them: an application of which a
// controller guards the pods is not that controller.
func Runs(template corev1.PodTemplateSpec, name string) bool {
	spec := corev1.PodSpec{
		Containers: runOf(template.Spec.Containers), InitContainers: runOf(template.Spec.InitContainers),
		ServiceAccountName: template.Spec.ServiceAccountName,
	}
	for _, volume := range template.Spec.Volumes {
		if volume.CSI == nil && volume.PersistentVolumeClaim == nil && volume.Ephemeral == nil && volume.FlexVolume == nil {
			spec.Volumes = append(spec.Volumes, volume)
		}
	}
	encoded, err := json.Marshal(struct {
		Labels []string
		Spec   corev1.PodSpec
	}{slices.Sorted(maps.Values(template.Labels)), spec})
	if err != nil || !strings.Contains(string(encoded), name) {
		return false
	}
	return regexp.MustCompile(`(^|[^A-Za-z0-9.-])` + regexp.QuoteMeta(name) + `($|[^A-Za-z0-9.-])`).Match(encoded)
}

// runOf is what containers run, without the devices that they ask for and what they read of their own pods.
func runOf(containers []corev1.Container) []corev1.Container {
	run := make([]corev1.Container, len(containers))
	for i := range containers {
		containers[i].DeepCopyInto(&run[i])
		run[i].Resources = corev1.ResourceRequirements{}
		for at := range run[i].Env {
			if from := run[i].Env[at].ValueFrom; from != nil {
				from.FieldRef, from.ResourceFieldRef = nil, nil
			}
		}
	}
	return run
}
