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
		task := finding.Phrase{Situation: "ReleaseJobless", Details: finding.TaskDetails{Object: object.Ref}}
		return t.unreleased(ctx, object, hold, "job-controller", task), true
	}
	if owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
		return t.notAJob(ctx, object, hold, owner), true
	}
	resource, served, err := t.Session.Served(ctx, "batch", "jobs")
	if resource.Kind == "" {
		resource.Kind = owner.Kind
	}
	job := session.Named(resource, object.Ref.Namespace, owner.Name)
	job.Ref.UID = string(owner.UID)
	if err != nil || !served {
		return session.Unread(finding.UnreadObject(job.Ref), err), true
	}
	whole, err := t.Session.Whole(ctx, job)
	if apierrors.IsNotFound(err) {
		return t.jobGone(ctx, object, hold), true
	}
	if err != nil {
		return session.Unread(finding.UnreadObject(job.Ref), err), true
	}
	typed, err := session.As[batchv1.Job](whole)
	if err != nil {
		return session.Unread(finding.UnreadObject(job.Ref), err), true
	}
	if manager := typed.Spec.ManagedBy; manager != nil && *manager != batchv1.JobControllerName {
		return t.managedElsewhere(ctx, object, hold, job, typed.DeletionTimestamp != nil, *manager), true
	}
	return t.countedBy(ctx, object, hold, job, typed), true
}

// jobGone answers for a pod whose Job no longer exists. When a Job goes, its controller releases the pods
// that the Job selects; it looks at any other again only when that changes (k8s v1.37
// pkg/controller/job/job_controller.go: deleteJob, updatePod, deletePod).
func (t *Tools) jobGone(ctx context.Context, object *session.Object, hold finding.Hold) session.Answer {
	task := finding.Phrase{Situation: "ReleasePodOfGoneJob", Details: finding.TaskDetails{Object: object.Ref}}
	release := t.Refusals.Release(object, hold, "job-controller", task)
	again := "kubectl-finalizers/look-again=" + object.Meta.ResourceVersion
	release.Remedies = []finding.Remedy{{
		Step: "ChangePod", Risk: finding.NoRisk, Command: t.Session.Kubectl.Command(object, "annotate", "--overwrite", again),
	}, t.takeOffTracking(object, hold)}
	return t.Refusals.Overdue(ctx, release)
}

// countedBy answers for the pod of a Job that kube-controller-manager runs (k8s v1.37
// pkg/controller/job/job_controller.go: canRemoveFinalizer, isPodFailed).
func (t *Tools) countedBy(
	ctx context.Context, object *session.Object, hold finding.Hold, job *session.Object, typed *batchv1.Job,
) session.Answer {
	pod, answer := session.WholeAs[corev1.Pod](ctx, t.Session, object)
	if pod == nil {
		return answer
	}
	policy := typed.Spec.PodReplacementPolicy
	task := finding.Phrase{Details: finding.TaskDetails{Object: object.Ref, Other: &job.Ref}}
	switch {
	case typed.DeletionTimestamp != nil:
		task.Situation = "ReleasePodOfGoingJob"
	case jobFinished(typed):
		task.Situation = "ReleasePodOfFinishedJob"
	case !podEnded(pod) && policy != nil && *policy == batchv1.Failed:
		return t.untilEnded(ctx, object, pod, job)
	case pod.Status.Phase != corev1.PodSucceeded && typed.Spec.BackoffLimitPerIndex != nil:
		task.Situation = "ReleaseReplacedPod"
	default:
		task.Situation = "CountPod"
	}
	return t.unreleased(ctx, object, hold, "job-controller", task)
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
func (t *Tools) untilEnded(
	ctx context.Context, object *session.Object, pod *corev1.Pod, job *session.Object,
) session.Answer {
	details := finding.TaskDetails{Object: object.Ref, Other: &job.Ref}
	if pod.Spec.NodeName == "" {
		return t.Refusals.Overdue(ctx, refusal.Duty{
			Object: object, Since: t.Session.Since(object),
			Task:   finding.Phrase{Situation: "FailUnassignedPod", Details: details},
			Writes: forgetting(object, refusal.SystemAccount("pod-garbage-collector")),
		})
	}
	answer := t.untilStopped(ctx, object, pod)
	answer.Remarks = append(answer.Remarks, finding.Finding{
		Situation: "CountedWhenEnded", Object: object.Ref, Details: details,
		Evidence: []finding.Evidence{{
			Source: job.Ref.String(), Observed: "spec.podReplacementPolicy Failed", Object: &job.Ref,
		}},
	})
	return answer
}

// managedElsewhere answers for the pod of a Job that another controller runs: kube-controller-manager
// keeps its hands off such pods (k8s v1.37 pkg/controller/job/job_controller.go:handleSingleOrphanPod).
func (t *Tools) managedElsewhere(
	ctx context.Context, object *session.Object, hold finding.Hold, job *session.Object, deleted bool, manager string,
) session.Answer {
	evidence := []finding.Evidence{{Source: job.Ref.String(), Observed: "spec.managedBy " + manager, Object: &job.Ref}}
	seen, what, err := t.managerSeen(ctx, manager)
	if err != nil {
		return session.Unread(what, err, evidence...)
	}
	details := finding.JobTrackingDetails{Job: &job.Ref, Manager: manager, Deleted: deleted}
	if len(seen) > 0 {
		return session.Open(finding.Finding{
			Situation: "JobManagerSilent", Object: object.Ref, Details: details, Evidence: append(evidence, seen...),
		})
	}
	evidence = append(evidence, finding.Evidence{
		Source: "Deployments, StatefulSets, DaemonSets and API groups", Observed: "none names " + manager,
	})
	without := finding.Remedy{
		Step: "DeleteJobOfManager", Details: details, Risk: finding.Disruption,
		Command: t.Session.Kubectl.Command(job, "delete", "--wait=false"),
	}
	if deleted { // deleting it again lets go of its pods, unless something else holds it
		without.Command = t.Session.Kubectl.Command(job, "delete", "--cascade=background", "--wait=false")
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerMissing, Situation: "JobManagerMissing", Object: object.Ref, Finalizer: hold.Name,
		Certainty: finding.Likely, Details: details, Evidence: evidence,
		Key: finding.KeyOf("JobManagerMissing", object.Ref.Namespace, manager),
		Remedies: []finding.Remedy{{
			Step: "BringJobManagerBack", Details: details, Risk: finding.NoRisk,
			Command: t.Session.Kubectl.Command(job, "describe"),
		}, without, t.takeOffTracking(object, hold)},
	})
}

// managerSeen looks for a Job's manager: a workload that names it, or the API group of its domain.
func (t *Tools) managerSeen(ctx context.Context, manager string) (
	seen []finding.Evidence, what finding.Unread, err error,
) {
	domain, _, _ := strings.Cut(manager, "/")
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil, finding.Unread{Aspect: finding.Discovery}, err
	}
	catalog.Ask(domain)
	for _, resource := range catalog.Resources {
		if resource.Group == domain {
			observed := "the API group " + resource.Group + " is served"
			return []finding.Evidence{{Source: "discovery", Observed: observed}}, what, nil
		}
	}
	workloads, what, err := t.workloadsNaming(ctx, manager)
	for _, workload := range workloads {
		observed := "names " + manager + ", " + workload.String()
		seen = append(seen, finding.Evidence{
			Source: workload.object.Ref.String(), Observed: observed, Object: &workload.object.Ref,
		})
	}
	return seen, what, err
}

// notAJob answers for a pod that something other than a Job controls. What runs pods in Kubernetes
// itself knows nothing of the finalizer; somebody else's kind may.
func (t *Tools) notAJob(
	ctx context.Context, object *session.Object, hold finding.Hold, owner *metav1.OwnerReference,
) session.Answer {
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	details := finding.JobTrackingDetails{Controller: kind.Kind + " " + owner.Name}
	evidence := []finding.Evidence{{
		Source: object.Ref.String(), Object: &object.Ref,
		Observed: fmt.Sprintf("its controller is %s (%s)", details.Controller, owner.APIVersion),
	}}
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return session.Unread(finding.Unread{Aspect: finding.Discovery}, err, evidence...)
	}
	if resource, served := catalog.OfKind(kind.GroupKind()); served {
		_, err := t.Session.Reader.Metadata(ctx, resource, object.Ref.Namespace, owner.Name)
		switch {
		case apierrors.IsNotFound(err):
			evidence = append(evidence, finding.Evidence{Source: details.Controller, Observed: "not found"})
		case err != nil:
			return session.Unread(finding.Unread{Name: details.Controller}, err, evidence...)
		case kind.Group != "" && kind.Group != "apps":
			return session.Open(finding.Finding{
				Situation: "TrackedByOther", Object: object.Ref, Details: details, Evidence: evidence,
			})
		}
	}
	return session.Cause(finding.Finding{
		Reason: finding.ControllerMissing, Situation: "TrackedByNobody", Object: object.Ref, Finalizer: hold.Name,
		Certainty: finding.Likely, Details: details, Evidence: evidence,
		Remedies: []finding.Remedy{{
			Step: "AskWhoSetTracking", Risk: finding.NoRisk,
			Command: t.Session.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		}, t.takeOffTracking(object, hold)},
	})
}

func (t *Tools) takeOffTracking(object *session.Object, hold finding.Hold) finding.Remedy {
	return finding.Remedy{
		Step: "ForgetTracking", Command: t.Session.Kubectl.Remove(object, []string{hold.Name}), Risk: finding.Disruption,
	}
}
