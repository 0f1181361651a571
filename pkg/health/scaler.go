package health

import (
	"context"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// scaler is what has scaled a workload to zero, and would do it again.
type scaler struct {
	object   finding.Ref
	evidence finding.Evidence
}

// scaledToZeroBy are the autoscalers that may scale a workload to zero. A HorizontalPodAutoscaler does so only where
// its minimum is 0: it lets a workload alone whose replicas are 0 otherwise (k8s v1.37 pkg/controller/podautoscaler/
// horizontal.go:reconcileAutoscaler). KEDA scales between 0 and 1 itself and keeps a HorizontalPodAutoscaler for more
// replicas, with a minimum of at least 1, unless the ScaledObject is paused (kedacore/keda: pkg/scaling/executor/
// scale_scaledobjects.go; controllers/keda/hpa.go).
func scaledToZeroBy(
	scalers []session.Item[autoscalingv1.HorizontalPodAutoscaler], workload *session.Object,
) (found []scaler) {
	for _, item := range scalers {
		spec, ref := item.Typed.Spec, item.Object.Ref
		if spec.ScaleTargetRef.Kind != workload.Ref.Kind || spec.ScaleTargetRef.Name != workload.Ref.Name {
			continue
		}
		owner := metav1.GetControllerOf(item.Object.Meta)
		switch {
		case spec.MinReplicas != nil && *spec.MinReplicas > 1: // KEDA's own minimum, too
		case owner != nil && ofKEDA(owner.APIVersion, owner.Kind):
			object := finding.Ref{
				APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: ref.Namespace, Name: owner.Name,
				UID: string(owner.UID),
			}
			evidence := ref.Observed("scales %s for %s, which may scale it to zero", workload.Ref, object)
			found = append(found, scaler{object: object, evidence: evidence})
		case spec.MinReplicas != nil && *spec.MinReplicas == 0:
			evidence := ref.Observed("scales %s; spec.minReplicas is 0", workload.Ref)
			found = append(found, scaler{object: ref, evidence: evidence})
		}
	}
	return found
}

// ofKEDA reports whether a kind is KEDA's ScaledObject.
func ofKEDA(apiVersion, kind string) bool {
	version, err := schema.ParseGroupVersion(apiVersion)
	return err == nil && version.Group == "keda.sh" && kind == "ScaledObject"
}

// raiseMinimum keeps an autoscaler from scaling to zero.
func raiseMinimum(reads *session.Session, by scaler) finding.Remedy {
	patch := `{"spec":{"minReplicas":1}}`
	if ofKEDA(by.object.APIVersion, by.object.Kind) {
		patch = `{"spec":{"minReplicaCount":1}}`
	}
	return finding.Remedy{
		Step: "RaiseMinimum", Details: finding.StepDetails{Object: &by.object},
		Command: reads.Kubectl.CommandFor(by.object, "patch", "--type", "merge", "-p", patch),
	}
}

// listIfAsked lists whole objects where a recording has them; none where they can't be read.
func listIfAsked[T any](
	ctx context.Context, reads *session.Session, resource cluster.Resource, namespace string,
) (found []session.Item[T]) {
	list, _ := reads.Reader.ListIfAsked(ctx, resource, namespace, cluster.Selector{})
	for i := range list {
		object, err := session.FromWhole(resource, &list[i])
		if err != nil {
			continue
		}
		if typed, err := session.As[T](&list[i]); err == nil {
			found = append(found, session.Item[T]{Object: object, Typed: typed})
		}
	}
	return found
}
