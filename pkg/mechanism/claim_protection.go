package mechanism

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// claimProtection explains kubernetes.io/pvc-protection: a claim stays while a pod that was given a
// node refers to it, finished pods included (deletion-mechanics M07).
func claimProtection(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != "kubernetes.io/pvc-protection" || !object.Is("", "PersistentVolumeClaim") {
		return facts.Answer{}, false
	}
	namespace := object.Ref.Namespace
	pods, incomplete := w.Reader.List(ctx, cluster.Pods(), namespace, cluster.Selector{Fields: "spec.nodeName!="})
	answer := facts.Answer{}
	if incomplete != nil {
		answer = facts.Unread("pods in "+namespace, incomplete) // beside what is known of them all the same
	}
	for i := range pods {
		pod, err := facts.As[corev1.Pod](&pods[i])
		if err != nil {
			return facts.Unread("pods in "+namespace, err), true
		}
		if !usesClaim(pod, object) {
			continue
		}
		user, err := facts.FromWhole(cluster.Pods(), &pods[i])
		if err != nil {
			return facts.Unread("pods in "+namespace, err), true
		}
		wait := facts.Wait{Blocker: user}
		if !user.Terminating() {
			wait.Otherwise = w.claimInUse(ctx, user, pod)
		}
		answer.Waits = append(answer.Waits, wait)
	}
	if len(answer.Waits) == 0 && incomplete == nil {
		return w.Overdue(ctx, w.Release(object, hold, "pvc-protection-controller", "release "+object.Ref.String()+", which no pod uses any more")), true
	}
	return answer, true
}

// usesClaim tells whether a pod holds a claim (k8s v1.37
// pkg/controller/volume/pvcprotection/pvc_protection_controller.go:podUsesPVCForDeletion).
func usesClaim(pod *corev1.Pod, claim *facts.Object) bool {
	if pod.Spec.NodeName == "" {
		return false
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.PersistentVolumeClaim != nil && volume.PersistentVolumeClaim.ClaimName == claim.Ref.Name {
			return true
		}
		if volume.Ephemeral != nil && pod.Name+"-"+volume.Name == claim.Ref.Name && ownedBy(claim, string(pod.UID)) && !shutDown(pod) {
			return true
		}
	}
	return false
}

func ownedBy(object *facts.Object, uid string) bool {
	for _, owner := range object.Meta.OwnerReferences {
		if string(owner.UID) == uid {
			return true
		}
	}
	return false
}

// shutDown tells whether the kubelet is done with a pod, or was told to forget it.
func shutDown(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil && pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
}

// claimInUse is the cause of a claim that a pod uses which nobody has asked to go.
func (w *World) claimInUse(ctx context.Context, user *facts.Object, pod *corev1.Pod) facts.Answer {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return facts.Cause(w.finishedUser(user, pod))
	}
	workload := w.WorkloadOf(ctx, user)
	phase := string(pod.Status.Phase)
	return facts.Cause(graph.Cause{
		Reason: graph.StillInUse, Object: user.Ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s uses the claim and nobody has asked it to stop (%s).", user.Ref, describeRunning(phase, workload)),
		Awaited:  fmt.Sprintf("%s, which uses it and which nobody has asked to stop (%s)", user.Ref, describeRunning(phase, workload)),
		Evidence: []graph.Evidence{{Source: user.Ref.String(), Observed: "phase " + phase + ", and one of its volumes is the claim", Object: &user.Ref}},
		Remedies: w.StopUsing(ctx, user, workload),
		Alike:    fmt.Sprintf("users in %s: %s", user.Ref.Namespace, describeRunning(phase, workload)),
		Several: func(count int) string {
			return fmt.Sprintf("%d pods in %s which use it and which nobody has asked to stop", count, user.Ref.Namespace)
		},
	})
}

func describeRunning(phase string, workload *facts.Object) string {
	if workload == nil {
		return "phase " + phase
	}
	return fmt.Sprintf("phase %s, run by %s", phase, workload.Ref)
}

func (w *World) finishedUser(user *facts.Object, pod *corev1.Pod) graph.Cause {
	when, at := "", finishedAt(pod)
	evidence := graph.Evidence{Source: user.Ref.String(), Observed: "phase " + string(pod.Status.Phase) + ", and one of its volumes is the claim", Object: &user.Ref}
	if !at.IsZero() {
		when = " " + w.Ago(at) + " ago"
		evidence.At = &at
	}
	return graph.Cause{
		Reason: graph.StillInUse, Object: user.Ref, Certainty: graph.Proven,
		Message:  fmt.Sprintf("%s finished%s but still refers to the claim, which stays as long as that pod exists.", user.Ref, when),
		Awaited:  fmt.Sprintf("%s, which finished%s but still refers to it", user.Ref, when),
		Evidence: []graph.Evidence{evidence},
		Remedies: []graph.Remedy{{
			Action:  "Delete the finished pod. The claim goes when no pod refers to it any more.",
			Command: w.Kubectl.Command(user, "delete"),
			Risk:    graph.NoRisk,
			Loses:   "the pod's logs",
		}},
		Alike: "finished users in " + user.Ref.Namespace,
		Several: func(count int) string {
			return fmt.Sprintf("%d pods in %s which have finished but still refer to it", count, user.Ref.Namespace)
		},
	}
}

// finishedAt returns when the last container ended, or zero.
func finishedAt(pod *corev1.Pod) (latest time.Time) {
	for _, container := range pod.Status.ContainerStatuses {
		if ended := container.State.Terminated; ended != nil && ended.FinishedAt.After(latest) {
			latest = ended.FinishedAt.Time
		}
	}
	return latest
}
