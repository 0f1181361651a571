package mechanism

import (
	"context"
	"fmt"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// jobTracking explains batch.kubernetes.io/job-tracking: a pod stays until its Job has counted it
// (deletion-mechanics M11). The Job may be gone, finished, or run by somebody else.
func jobTracking(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != batchv1.JobTrackingFinalizer || !object.Is("", "Pod") {
		return facts.Answer{}, false
	}
	owner := metav1.GetControllerOfNoCopy(object.Meta)
	if owner == nil {
		return w.uncounted(ctx, object, hold, "which belongs to no Job"), true
	}
	if owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
		return w.notAJob(ctx, object, hold, owner), true
	}
	resource, served, err := w.Served(ctx, "batch", "jobs")
	if err != nil || !served {
		return facts.Unread("Job "+object.Ref.Namespace+"/"+owner.Name, err), true
	}
	job := facts.Named(resource, object.Ref.Namespace, owner.Name)
	job.Ref.UID = string(owner.UID)
	whole, err := w.Whole(ctx, job)
	if apierrors.IsNotFound(err) {
		return w.jobGone(ctx, object, hold), true
	}
	if err != nil {
		return facts.Unread(job.Ref.String(), err), true
	}
	typed, err := facts.As[batchv1.Job](whole)
	if err != nil {
		return facts.Unread(job.Ref.String(), err), true
	}
	if manager := typed.Spec.ManagedBy; manager != nil && *manager != batchv1.JobControllerName {
		return w.managedElsewhere(ctx, object, hold, job, typed.DeletionTimestamp != nil, *manager), true
	}
	return w.countedBy(ctx, object, hold, job, typed), true
}

// uncounted answers for a pod that its Job has counted, or that nobody has to count any more.
func (w *World) uncounted(ctx context.Context, object *facts.Object, hold graph.Hold, why string) facts.Answer {
	return w.Overdue(ctx, w.Release(object, hold, "job-controller", fmt.Sprintf("release %s, %s", object.Ref, why)))
}

// jobGone answers for a pod whose Job no longer exists. When a Job goes, its controller releases the pods
// that the Job selects; it looks at any other again only when that changes (k8s v1.37
// pkg/controller/job/job_controller.go: deleteJob, updatePod, deletePod).
func (w *World) jobGone(ctx context.Context, object *facts.Object, hold graph.Hold) facts.Answer {
	release := w.Release(object, hold, "job-controller", fmt.Sprintf("release %s, whose Job is gone", object.Ref))
	release.Remedies = []graph.Remedy{{
		Action:  "Have the job controller look at the pod again: any change to the pod does that, such as an annotation.",
		Command: w.Kubectl.Command(object, "annotate", "--overwrite", "kubectl-finalizers/look-again="+object.Meta.ResourceVersion),
		Risk:    graph.NoRisk,
	}, w.takeOffTracking(object, hold)}
	return w.Overdue(ctx, release)
}

// countedBy answers for the pod of a Job that kube-controller-manager runs (k8s v1.37
// pkg/controller/job/job_controller.go: canRemoveFinalizer, isPodFailed).
func (w *World) countedBy(ctx context.Context, object *facts.Object, hold graph.Hold, job *facts.Object, typed *batchv1.Job) facts.Answer {
	pod, answer := facts.WholeAs[corev1.Pod](ctx, w, object)
	if pod == nil {
		return answer
	}
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	policy := typed.Spec.PodReplacementPolicy
	switch {
	case typed.DeletionTimestamp != nil:
		return w.uncounted(ctx, object, hold, fmt.Sprintf("whose %s is being deleted", job.Ref))
	case jobFinished(typed):
		return w.uncounted(ctx, object, hold, fmt.Sprintf("whose %s has finished", job.Ref))
	case !ended && policy != nil && *policy == batchv1.Failed:
		return w.untilEnded(ctx, object, pod, job)
	case pod.Status.Phase != corev1.PodSucceeded && typed.Spec.BackoffLimitPerIndex != nil:
		return w.uncounted(ctx, object, hold, fmt.Sprintf("after it has started another pod in its place and counted it for %s", job.Ref))
	}
	return w.uncounted(ctx, object, hold, fmt.Sprintf("which %s only has to count", job.Ref))
}

// jobFinished tells whether a Job has an outcome, be it one that it is still writing down.
func jobFinished(job *batchv1.Job) bool {
	for _, condition := range job.Status.Conditions {
		switch condition.Type {
		case batchv1.JobComplete, batchv1.JobFailed, batchv1.JobSuccessCriteriaMet, batchv1.JobFailureTarget:
			if condition.Status == corev1.ConditionTrue {
				return true
			}
		}
	}
	return false
}

// untilEnded answers for a pod whose Job replaces failed pods only: it is counted when its kubelet
// reports how it ended, and not before.
func (w *World) untilEnded(ctx context.Context, object *facts.Object, pod *corev1.Pod, job *facts.Object) facts.Answer {
	if pod.Spec.NodeName == "" {
		return w.Overdue(ctx, refusal.Duty{
			Object: object, Since: w.Since(object), What: fmt.Sprintf("mark %s as failed, which no node runs", object.Ref),
			Writes: forgetting(object, refusal.SystemAccount("pod-garbage-collector")),
		})
	}
	answer := w.untilStopped(ctx, object, pod)
	answer.Remarks = append(answer.Remarks, facts.Note{
		Message:  fmt.Sprintf("%s counts %s only when it has ended (podReplacementPolicy Failed): then it also takes off its finalizer.", job.Ref, object.Ref),
		Awaited:  fmt.Sprintf("%s to count %s, once that has ended", job.Ref, object.Ref),
		Evidence: []graph.Evidence{{Source: job.Ref.String(), Observed: "spec.podReplacementPolicy Failed", Object: &job.Ref}},
	})
	return answer
}

// managedElsewhere answers for the pod of a Job that another controller runs: kube-controller-manager
// keeps its hands off such pods (k8s v1.37 pkg/controller/job/job_controller.go:handleSingleOrphanPod).
func (w *World) managedElsewhere(ctx context.Context, object *facts.Object, hold graph.Hold, job *facts.Object, deleted bool, manager string) facts.Answer {
	evidence := []graph.Evidence{{Source: job.Ref.String(), Observed: "spec.managedBy " + manager, Object: &job.Ref}}
	seen, what, err := w.managerSeen(ctx, manager)
	if err != nil {
		return facts.Unread(what, err, evidence...)
	}
	if len(seen) > 0 {
		return facts.Open(facts.Note{
			Message:  fmt.Sprintf("%s is run by %s, which alone may release %s and has yet to. It is known in this cluster; its logs would tell why.", job.Ref, manager, object.Ref),
			Awaited:  fmt.Sprintf("%s, which runs %s, to release %s", manager, job.Ref, object.Ref),
			Evidence: append(evidence, seen...),
		})
	}
	evidence = append(evidence, graph.Evidence{Source: "Deployments, StatefulSets, DaemonSets and API groups", Observed: "none names " + manager})
	without := graph.Remedy{
		Action:  fmt.Sprintf("If the Job is not needed any more, delete it. %s then releases its pods itself. If one stays, ask why again.", facts.ControllerManager),
		Command: w.Kubectl.Command(job, "delete", "--wait=false"),
		Risk:    graph.Disruption,
		Loses:   "the Job, all its pods and its record",
	}
	if deleted { // deleting it again lets go of its pods, unless something else holds it
		without.Action = fmt.Sprintf("Have the Job go before its pods: delete it once more, in the background. %s then releases its pods itself. If one stays, ask why again.", facts.ControllerManager)
		without.Command = w.Kubectl.Command(job, "delete", "--cascade=background", "--wait=false")
		without.Loses = "the order, children before their parent; the Job and its pods are being deleted already"
	}
	return facts.Cause(graph.Cause{
		Reason: graph.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s waits for %s, which runs %s (spec.managedBy) in place of %s. Nothing of it is visible in this cluster; it may run elsewhere.",
			object.Ref, manager, job.Ref, facts.ControllerManager),
		Awaited:  fmt.Sprintf("%s, which runs %s and of which nothing is visible in this cluster", manager, job.Ref),
		Evidence: evidence,
		Remedies: []graph.Remedy{{
			Action:  fmt.Sprintf("Bring %s back and let it count the pod.", manager),
			Command: w.Kubectl.Command(job, "describe"),
			Risk:    graph.NoRisk,
		}, without, w.takeOffTracking(object, hold)},
		Alike: fmt.Sprintf("pods of Jobs in %s run by %s", object.Ref.Namespace, manager),
		Several: func(count int) string {
			return fmt.Sprintf("%s, which runs the Jobs of %d pods in %s and of which nothing is visible in this cluster", manager, count, object.Ref.Namespace)
		},
	})
}

// managerSeen looks for a Job's manager: a workload that names it, or the API group of its domain.
func (w *World) managerSeen(ctx context.Context, manager string) (seen []graph.Evidence, what string, err error) {
	domain, _, _ := strings.Cut(manager, "/")
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, "what the server serves", err
	}
	catalog.Ask(domain)
	for _, resource := range catalog.Resources {
		if resource.Group == domain {
			return []graph.Evidence{{Source: "discovery", Observed: "the API group " + resource.Group + " is served"}}, "", nil
		}
	}
	workloads, what, err := w.workloadsNaming(ctx, manager)
	for _, workload := range workloads {
		seen = append(seen, graph.Evidence{Source: workload.object.Ref.String(), Observed: "names " + manager + ", " + workload.String(), Object: &workload.object.Ref})
	}
	return seen, what, err
}

// notAJob answers for a pod that something other than a Job controls. What runs pods in Kubernetes
// itself knows nothing of the finalizer; somebody else's kind may.
func (w *World) notAJob(ctx context.Context, object *facts.Object, hold graph.Hold, owner *metav1.OwnerReference) facts.Answer {
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	controlled := fmt.Sprintf("%s %s", kind.Kind, owner.Name)
	evidence := []graph.Evidence{{Source: object.Ref.String(), Observed: fmt.Sprintf("its controller is %s (%s)", controlled, owner.APIVersion), Object: &object.Ref}}
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return facts.Unread("what the server serves", err, evidence...)
	}
	if resource, served := catalog.OfKind(kind.GroupKind()); served {
		_, err := w.Reader.Metadata(ctx, resource, object.Ref.Namespace, owner.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			return facts.Unread(controlled, err, evidence...)
		}
		if err == nil && kind.Group != "" && kind.Group != "apps" {
			return facts.Open(facts.Note{
				Message:  fmt.Sprintf("%s has the finalizer by which Jobs count their pods, and is controlled by %s. Only the controller of that can release it: %s doesn't.", object.Ref, controlled, facts.ControllerManager),
				Awaited:  fmt.Sprintf("the controller of %s to release %s", controlled, object.Ref),
				Evidence: evidence,
			})
		}
		if err != nil {
			evidence = append(evidence, graph.Evidence{Source: controlled, Observed: "not found"})
		}
	}
	return facts.Cause(graph.Cause{
		Reason: graph.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s has the finalizer by which Jobs count their pods, and is controlled by %s. %s releases pods of Jobs and of nobody, and never this one.",
			object.Ref, controlled, facts.ControllerManager),
		Awaited:  fmt.Sprintf("somebody to remove %s from %s, which %s controls: no Job counts it", hold.Name, object.Ref, controlled),
		Evidence: evidence,
		Remedies: []graph.Remedy{{
			Action:  "See who set the finalizer, and ask them.",
			Command: w.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
			Risk:    graph.NoRisk,
		}, w.takeOffTracking(object, hold)},
	})
}

func (w *World) takeOffTracking(object *facts.Object, hold graph.Hold) graph.Remedy {
	return graph.Remedy{
		Action:  "Last resort: remove this one entry. " + facts.AsksBefore,
		Command: w.Kubectl.Remove(object, []string{hold.Name}),
		Risk:    graph.Disruption,
		Loses:   "the count; who counts the pod may start one too many or report one too few",
	}
}
