package mechanism

import (
	"context"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// gracePeriod explains a Pod that its kubelet has not confirmed to be gone (docs/deletion.md#grace-period). Nothing on
// the server ends a grace period: the kubelet does, or the pod garbage collector.
func gracePeriod(ctx context.Context, t *Tools, held Held, pod *corev1.Pod) Answer {
	if pod.Spec.NodeName == "" || held.GraceSeconds() == 0 {
		return session.Progress(Finding{
			Situation: "NothingHoldsPod", Object: held.Ref, Key: finding.KeyOf("NothingHoldsPod"),
		})
	}
	return untilStopped(ctx, t, held.Object, pod)
}

// forgetting are the writes that end a grace period: the final status, then DELETE without grace
// (docs/deletion.md#grace-period).
func forgetting(pod *Object, by string) []refusal.Write {
	status := refusal.Write{Operation: admissionregistrationv1.Update, Object: pod, Subresource: "status", By: by}
	return []refusal.Write{status, refusal.Deletion(pod, by)}
}

// longGrace is how much of a grace period is left where it is worth saying that it can be shortened.
const longGrace = 5 * time.Minute

// beingStopped is a pod within its grace period. A second DELETE with a shorter one ends that sooner
// (docs/deletion.md#what-deletiontimestamp-means). It counts from the first DELETE, and is a second if it is over
// already (k8s v1.37 apiserver/pkg/registry/rest/delete.go:BeforeDelete).
func beingStopped(reads *session.Session, object, node *Object, evidence ...Evidence) Finding {
	ends := object.Meta.DeletionTimestamp.Time
	stops := Finding{
		Situation: "PodBeingStopped", Object: object.Ref, Details: stopping(object, node), Evidence: evidence, Until: ends,
	}
	if ends.Sub(reads.Now()) > longGrace {
		stops.Remedies = []Remedy{{
			Step: "ShortenGracePeriod", Details: finding.StepDetails{Object: &object.Ref}, Risk: finding.Disruption,
			Command: reads.Kubectl.Command(object, "delete", "--grace-period=30", "--wait=false"),
		}}
	}
	return stops
}

func stopping(object, node *Object) finding.ContainerNotStoppingDetails {
	return finding.ContainerNotStoppingDetails{
		Node: node.Ref, EndsAt: &object.Meta.DeletionTimestamp.Time, GraceSeconds: object.GraceSeconds(),
	}
}
