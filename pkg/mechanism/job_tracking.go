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

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// jobTracking explains batch.kubernetes.io/job-tracking: a pod stays until its Job has counted it
// (deletion-mechanics M11). The Job may be gone, finished, or run by somebody else.
func jobTracking(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != batchv1.JobTrackingFinalizer || !object.Is("", "Pod") {
		return session.Answer{}, false
	}
	owner := metav1.GetControllerOfNoCopy(object.Meta)
	if owner == nil {
		return t.uncounted(ctx, object, hold, "which belongs to no Job"), true
	}
	if owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
		return t.notAJob(ctx, object, hold, owner), true
	}
	resource, served, err := t.Session.Served(ctx, "batch", "jobs")
	if err != nil || !served {
		return session.Unread("Job "+object.Ref.Namespace+"/"+owner.Name, err), true
	}
	job := session.Named(resource, object.Ref.Namespace, owner.Name)
	job.Ref.UID = string(owner.UID)
	whole, err := t.Session.Whole(ctx, job)
	if apierrors.IsNotFound(err) {
		return t.jobGone(ctx, object, hold), true
	}
	if err != nil {
		return session.Unread(job.Ref.String(), err), true
	}
	typed, err := session.As[batchv1.Job](whole)
	if err != nil {
		return session.Unread(job.Ref.String(), err), true
	}
	if manager := typed.Spec.ManagedBy; manager != nil && *manager != batchv1.JobControllerName {
		return t.managedElsewhere(ctx, object, hold, job, typed.DeletionTimestamp != nil, *manager), true
	}
	return t.countedBy(ctx, object, hold, job, typed), true
}

// uncounted answers for a pod that its Job has counted, or that nobody has to count any more.
func (t *Tools) uncounted(ctx context.Context, object *session.Object, hold finding.Hold, why string) session.Answer {
	return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, "job-controller", fmt.Sprintf("release %s, %s", object.Ref, why)))
}

// jobGone answers for a pod whose Job no longer exists. When a Job goes, its controller releases the pods
// that the Job selects; it looks at any other again only when that changes (k8s v1.37
// pkg/controller/job/job_controller.go: deleteJob, updatePod, deletePod).
func (t *Tools) jobGone(ctx context.Context, object *session.Object, hold finding.Hold) session.Answer {
	release := t.Refusals.Release(object, hold, "job-controller", fmt.Sprintf("release %s, whose Job is gone", object.Ref))
	release.Remedies = []finding.Remedy{{
		Action:  "Have the job controller look at the pod again: any change to the pod does that, such as an annotation.",
		Command: t.Session.Kubectl.Command(object, "annotate", "--overwrite", "kubectl-finalizers/look-again="+object.Meta.ResourceVersion),
		Risk:    finding.NoRisk,
	}, t.takeOffTracking(object, hold)}
	return t.Refusals.Overdue(ctx, release)
}

// countedBy answers for the pod of a Job that kube-controller-manager runs (k8s v1.37
// pkg/controller/job/job_controller.go: canRemoveFinalizer, isPodFailed).
func (t *Tools) countedBy(ctx context.Context, object *session.Object, hold finding.Hold, job *session.Object, typed *batchv1.Job) session.Answer {
	pod, answer := session.WholeAs[corev1.Pod](ctx, t.Session, object)
	if pod == nil {
		return answer
	}
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	policy := typed.Spec.PodReplacementPolicy
	switch {
	case typed.DeletionTimestamp != nil:
		return t.uncounted(ctx, object, hold, fmt.Sprintf("whose %s is being deleted", job.Ref))
	case jobFinished(typed):
		return t.uncounted(ctx, object, hold, fmt.Sprintf("whose %s has finished", job.Ref))
	case !ended && policy != nil && *policy == batchv1.Failed:
		return t.untilEnded(ctx, object, pod, job)
	case pod.Status.Phase != corev1.PodSucceeded && typed.Spec.BackoffLimitPerIndex != nil:
		return t.uncounted(ctx, object, hold, fmt.Sprintf("after it has started another pod in its place and counted it for %s", job.Ref))
	}
	return t.uncounted(ctx, object, hold, fmt.Sprintf("which %s only has to count", job.Ref))
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
func (t *Tools) untilEnded(ctx context.Context, object *session.Object, pod *corev1.Pod, job *session.Object) session.Answer {
	if pod.Spec.NodeName == "" {
		return t.Refusals.Overdue(ctx, refusal.Duty{
			Object: object, Since: t.Session.Since(object), What: fmt.Sprintf("mark %s as failed, which no node runs", object.Ref),
			Writes: forgetting(object, refusal.SystemAccount("pod-garbage-collector")),
		})
	}
	answer := t.untilStopped(ctx, object, pod)
	answer.Remarks = append(answer.Remarks, finding.Finding{
		Message:  fmt.Sprintf("%s counts %s only when it has ended (podReplacementPolicy Failed): then it also takes off its finalizer.", job.Ref, object.Ref),
		Awaited:  fmt.Sprintf("%s to count %s, once that has ended", job.Ref, object.Ref),
		Evidence: []finding.Evidence{{Source: job.Ref.String(), Observed: "spec.podReplacementPolicy Failed", Object: &job.Ref}},
	})
	return answer
}

// managedElsewhere answers for the pod of a Job that another controller runs: kube-controller-manager
// keeps its hands off such pods (k8s v1.37 pkg/controller/job/job_controller.go:handleSingleOrphanPod).
func (t *Tools) managedElsewhere(ctx context.Context, object *session.Object, hold finding.Hold, job *session.Object, deleted bool, manager string) session.Answer {
	evidence := []finding.Evidence{{Source: job.Ref.String(), Observed: "spec.managedBy " + manager, Object: &job.Ref}}
	seen, what, err := t.managerSeen(ctx, manager)
	if err != nil {
		return session.Unread(what, err, evidence...)
	}
	if len(seen) > 0 {
		return session.Open(finding.Finding{
			Message:  fmt.Sprintf("%s is run by %s, which alone may release %s and has yet to. It is known in this cluster; its logs would tell why.", job.Ref, manager, object.Ref),
			Awaited:  fmt.Sprintf("%s, which runs %s, to release %s", manager, job.Ref, object.Ref),
			Evidence: append(evidence, seen...),
		})
	}
	evidence = append(evidence, finding.Evidence{Source: "Deployments, StatefulSets, DaemonSets and API groups", Observed: "none names " + manager})
	without := finding.Remedy{
		Action:  fmt.Sprintf("If the Job is not needed any more, delete it. %s then releases its pods itself. If one stays, ask why again.", session.ControllerManager),
		Command: t.Session.Kubectl.Command(job, "delete", "--wait=false"),
		Risk:    finding.Disruption,
		Loses:   "the Job, all its pods and its record",
	}
	if deleted { // deleting it again lets go of its pods, unless something else holds it
		without.Action = fmt.Sprintf("Have the Job go before its pods: delete it once more, in the background. %s then releases its pods itself. If one stays, ask why again.", session.ControllerManager)
		without.Command = t.Session.Kubectl.Command(job, "delete", "--cascade=background", "--wait=false")
		without.Loses = "the order, children before their parent; the Job and its pods are being deleted already"
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s waits for %s, which runs %s (spec.managedBy) in place of %s. Nothing of it is visible in this cluster; it may run elsewhere.",
			object.Ref, manager, job.Ref, session.ControllerManager),
		Awaited:  fmt.Sprintf("%s, which runs %s and of which nothing is visible in this cluster", manager, job.Ref),
		Evidence: evidence,
		Remedies: []finding.Remedy{{
			Action:  fmt.Sprintf("Bring %s back and let it count the pod.", manager),
			Command: t.Session.Kubectl.Command(job, "describe"),
			Risk:    finding.NoRisk,
		}, without, t.takeOffTracking(object, hold)},
		Alike: fmt.Sprintf("pods of Jobs in %s run by %s", object.Ref.Namespace, manager),
		Several: func(count int) string {
			return fmt.Sprintf("%s, which runs the Jobs of %d pods in %s and of which nothing is visible in this cluster", manager, count, object.Ref.Namespace)
		},
	})
}

// managerSeen looks for a Job's manager: a workload that names it, or the API group of its domain.
func (t *Tools) managerSeen(ctx context.Context, manager string) (seen []finding.Evidence, what string, err error) {
	domain, _, _ := strings.Cut(manager, "/")
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil, "what the server serves", err
	}
	catalog.Ask(domain)
	for _, resource := range catalog.Resources {
		if resource.Group == domain {
			return []finding.Evidence{{Source: "discovery", Observed: "the API group " + resource.Group + " is served"}}, "", nil
		}
	}
	workloads, what, err := t.workloadsNaming(ctx, manager)
	for _, workload := range workloads {
		seen = append(seen, finding.Evidence{Source: workload.object.Ref.String(), Observed: "names " + manager + ", " + workload.String(), Object: &workload.object.Ref})
	}
	return seen, what, err
}

// notAJob answers for a pod that something other than a Job controls. What runs pods in Kubernetes
// itself knows nothing of the finalizer; somebody else's kind may.
func (t *Tools) notAJob(ctx context.Context, object *session.Object, hold finding.Hold, owner *metav1.OwnerReference) session.Answer {
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	controlled := fmt.Sprintf("%s %s", kind.Kind, owner.Name)
	evidence := []finding.Evidence{{Source: object.Ref.String(), Observed: fmt.Sprintf("its controller is %s (%s)", controlled, owner.APIVersion), Object: &object.Ref}}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return session.Unread("what the server serves", err, evidence...)
	}
	if resource, served := catalog.OfKind(kind.GroupKind()); served {
		_, err := t.Session.Reader.Metadata(ctx, resource, object.Ref.Namespace, owner.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			return session.Unread(controlled, err, evidence...)
		}
		if err == nil && kind.Group != "" && kind.Group != "apps" {
			return session.Open(finding.Finding{
				Message:  fmt.Sprintf("%s has the finalizer by which Jobs count their pods, and is controlled by %s. Only the controller of that can release it: %s doesn't.", object.Ref, controlled, session.ControllerManager),
				Awaited:  fmt.Sprintf("the controller of %s to release %s", controlled, object.Ref),
				Evidence: evidence,
			})
		}
		if err != nil {
			evidence = append(evidence, finding.Evidence{Source: controlled, Observed: "not found"})
		}
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerMissing, Object: object.Ref, Finalizer: hold.Name, Certainty: finding.Likely,
		Message: fmt.Sprintf("%s has the finalizer by which Jobs count their pods, and is controlled by %s. %s releases pods of Jobs and of nobody, and never this one.",
			object.Ref, controlled, session.ControllerManager),
		Awaited:  fmt.Sprintf("somebody to remove %s from %s, which %s controls: no Job counts it", hold.Name, object.Ref, controlled),
		Evidence: evidence,
		Remedies: []finding.Remedy{{
			Action:  "See who set the finalizer, and ask them.",
			Command: t.Session.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
			Risk:    finding.NoRisk,
		}, t.takeOffTracking(object, hold)},
	})
}

func (t *Tools) takeOffTracking(object *session.Object, hold finding.Hold) finding.Remedy {
	return finding.Remedy{
		Action:  "Last resort: remove this one entry. " + session.AsksBefore,
		Command: t.Session.Kubectl.Remove(object, []string{hold.Name}),
		Risk:    finding.Disruption,
		Loses:   "the count; who counts the pod may start one too many or report one too few",
	}
}
