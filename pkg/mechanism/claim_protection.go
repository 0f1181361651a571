package mechanism

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// claimProtection explains kubernetes.io/pvc-protection: a claim stays while a pod that was given a node refers to it,
// finished pods included (docs/deletion.md#claim-protection).
func claimProtection(ctx context.Context, t *Tools, held Held) Answer {
	namespace := held.Ref.Namespace
	pods, incomplete := t.Session.Reader.List(ctx, cluster.Pods(), namespace, cluster.WithNode())
	answer := Answer{}
	if incomplete != nil {
		answer = session.Unread(unreadKind("pods", namespace), incomplete) // beside what is known of them all the same
	}
	for i := range pods {
		pod, err := session.As[corev1.Pod](&pods[i])
		if err != nil {
			return session.Unread(unreadKind("pods", namespace), err)
		}
		if !usesClaim(pod, held.Object) {
			continue
		}
		user, err := session.FromWhole(cluster.Pods(), &pods[i])
		if err != nil {
			return session.Unread(unreadKind("pods", namespace), err)
		}
		answer.Waits = append(answer.Waits,
			session.Until(user, func() Answer { return claimInUse(ctx, t.Session, t.Health, user, pod, held.Object) }))
	}
	answer.Waits = append(answer.Waits, namedUsers(ctx, t, held.Object)...)
	if len(answer.Waits) > 0 {
		answer.Remarks = append(answer.Remarks, volumeLater(ctx, t, held.Object)...)
	}
	if len(answer.Waits) == 0 && incomplete == nil {
		return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReleaseUnusedClaim"})
	}
	return answer
}

// usesClaim reports whether a pod holds a claim (k8s v1.37
// pkg/controller/volume/pvcprotection/pvc_protection_controller.go:podUsesPVCForDeletion).
func usesClaim(pod *corev1.Pod, claim *Object) bool {
	if pod.Spec.NodeName == "" {
		return false
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil && volume.PersistentVolumeClaim.ClaimName == claim.Ref.Name {
			return true
		}
		ephemeral := volume.Ephemeral != nil && pod.Name+"-"+volume.Name == claim.Ref.Name
		grace := pod.DeletionGracePeriodSeconds // zero: the kubelet is done with the pod, or was told to forget it
		shutDown := pod.DeletionTimestamp != nil && grace != nil && *grace == 0
		if ephemeral && refersTo(claim.Meta, string(pod.UID)) && !shutDown {
			return true
		}
	}
	return false
}

func claimInUse(
	ctx context.Context, reads *session.Session, checker *health.Checker, user *Object, pod *corev1.Pod, claim *Object,
) Answer {
	phase := string(pod.Status.Phase)
	evidence := user.Ref.Observed("one of its volumes is the claim").Ranked(finding.Told)
	if phase != "" { // a text may not show it
		evidence.Observed = "phase " + phase + "; " + evidence.Observed
	}
	if podEnded(pod) {
		return session.Cause(finishedUser(reads, user, pod, claim, evidence))
	}
	seen := []Evidence{evidence}
	if pod.Status.Phase == corev1.PodPending { // else it has the volume
		seen = append(seen, volumeGone(ctx, reads, claim)...)
	}
	workload := health.WorkloadOf(ctx, checker.Session, user)
	return session.Cause(Finding{
		Reason: finding.StillInUse, Situation: "RunningPodUsesClaim", Object: user.Ref, Certainty: finding.Proven,
		Details:  finding.StillInUseDetails{Phase: phase, Workload: refOf(workload), Of: &claim.Ref},
		Key:      finding.KeyOf("RunningPodUsesClaim", user.Ref.Namespace, phase, refOf(workload)),
		Evidence: seen, Remedies: health.StopUsing(ctx, checker.Session, user, workload),
	})
}

// volumeGone is the evidence that the volume which a claim names doesn't exist: none where it does, or can't be read.
func volumeGone(ctx context.Context, reads *session.Session, object *Object) []Evidence {
	claim, err := session.ReadAs[corev1.PersistentVolumeClaim](ctx, reads, object)
	if err != nil || claim.Spec.VolumeName == "" {
		return nil
	}
	volume := session.Named(cluster.PersistentVolumes(), "", claim.Spec.VolumeName)
	if _, err := session.ReadAs[corev1.PersistentVolume](ctx, reads, volume); !apierrors.IsNotFound(err) {
		return nil
	}
	gone := object.Ref.Observed("spec.volumeName: %s, a PersistentVolume that does not exist", volume.Ref.Name)
	return []Evidence{gone.WhichMisses(volume.Ref)}
}

// volumesGone is volumeGone for the claims of a pod, the first few.
func volumesGone(ctx context.Context, reads *session.Session, pod *corev1.Pod) (gone []Evidence) {
	const few = 4
	claims := 0
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil && claims < few {
			claims++
			name := volume.PersistentVolumeClaim.ClaimName
			gone = append(gone, volumeGone(ctx, reads, session.Named(cluster.PersistentVolumeClaims(), pod.Namespace, name))...)
		}
	}
	return gone
}

func refOf(object *Object) *finding.Ref {
	if object == nil {
		return nil
	}
	return &object.Ref
}

func finishedUser(reads *session.Session, user *Object, pod *corev1.Pod, claim *Object, evidence Evidence) Finding {
	if at := finishedAt(pod); !at.IsZero() {
		evidence = evidence.When(at)
	}
	return Finding{
		Reason: finding.StillInUse, Situation: "FinishedPodUsesClaim", Object: user.Ref, Certainty: finding.Proven,
		Details: finding.StillInUseDetails{FinishedAt: evidence.At, Of: &claim.Ref},
		Key:     finding.KeyOf("FinishedPodUsesClaim", user.Ref.Namespace), Evidence: []Evidence{evidence},
		Remedies: []Remedy{{Step: "DeleteFinishedPod", Command: reads.Kubectl.Command(user, "delete")}},
	}
}

func finishedAt(pod *corev1.Pod) (latest time.Time) {
	for _, container := range pod.Status.ContainerStatuses {
		if ended := container.State.Terminated; ended != nil && ended.FinishedAt.After(latest) {
			latest = ended.FinishedAt.Time
		}
	}
	return latest
}

// podUser is the wait for a pod that rightly keeps something: use says how, as in "Pod X belongs to the group".
func podUser(ctx context.Context, checker *health.Checker, user *Object, pod *corev1.Pod, use finding.Phrase) Wait {
	return session.Until(user, func() Answer {
		phase, workload := string(pod.Status.Phase), health.WorkloadOf(ctx, checker.Session, user)
		return session.Cause(Finding{
			Reason: finding.StillInUse, Situation: "RunningPod", Object: user.Ref, Certainty: finding.Proven,
			Details:  finding.StillInUseDetails{Phase: phase, Workload: refOf(workload), Use: &use},
			Key:      finding.KeyOf("RunningPod", user.Ref.Namespace, use.Situation, phase, refOf(workload)),
			Evidence: []Evidence{user.Ref.Observed("phase %s, no deletionTimestamp", phase)},
			Remedies: health.StopUsing(ctx, checker.Session, user, workload),
		})
	})
}

func podEnded(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
