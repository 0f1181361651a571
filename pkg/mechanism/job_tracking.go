package mechanism

import (
	"context"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// jobTracking explains batch.kubernetes.io/job-tracking: a pod stays until its Job has counted it
// (docs/deletion.md#job-tracking). The Job may be gone, finished, or run by another controller.
func jobTracking(ctx context.Context, t *Tools, held Held) Answer {
	owner := metav1.GetControllerOfNoCopy(held.Meta)
	if owner == nil {
		return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReleaseJobless"})
	}
	if owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
		return notAJob(ctx, t.Session, held, owner)
	}
	resource, served, err := session.Served(ctx, t.Session.Reader, "batch", "jobs")
	resource.Kind = owner.Kind
	job := session.Named(resource, held.Ref.Namespace, owner.Name)
	job.Ref.UID = string(owner.UID)
	if err != nil || !served {
		return session.Unread(finding.UnreadObject(job.Ref), err)
	}
	typed, err := session.ReadAs[batchv1.Job](ctx, t.Session, job)
	switch {
	case apierrors.IsNotFound(err):
		return jobGone(ctx, t.Session, t.Refusals, held)
	case err != nil:
		return session.Unread(finding.UnreadObject(job.Ref), err)
	}
	if manager := managerOf(typed); manager != "" {
		return managedElsewhere(ctx, t, held, job, typed.DeletionTimestamp != nil, manager)
	}
	return countedBy(ctx, t, held, job, typed)
}

// managerOf is who runs a Job in place of kube-controller-manager, or nothing.
func managerOf(job *batchv1.Job) string {
	if manager := job.Spec.ManagedBy; manager != nil && *manager != batchv1.JobControllerName {
		return *manager
	}
	return ""
}

// jobManagerDuty is the duty of who runs the Job that controls a pod.
func jobManagerDuty() *bearer {
	manager := func(_ Held, by *Object) string {
		job, err := session.As[batchv1.Job](by.Whole)
		if err != nil {
			return ""
		}
		return managerOf(job)
	}
	return &bearer{
		namedBy: func(pod *Object) *Object {
			owner := metav1.GetControllerOf(pod.Meta)
			if owner == nil || owner.Kind != "Job" || owner.APIVersion != batchv1.SchemeGroupVersion.String() {
				return nil
			}
			job := session.Named(cluster.Jobs(), pod.Ref.Namespace, owner.Name)
			job.Ref.UID = string(owner.UID)
			return job
		},
		name: manager,
		fares: func(ctx context.Context, t *Tools, held Held, job *Object) attribution.Presence {
			deleted := job.Whole.GetDeletionTimestamp() != nil
			return attribution.PresenceBy(managedElsewhere(ctx, t, held, job, deleted, manager(held, job)))
		},
	}
}

// jobGone answers for a pod whose Job no longer exists. When a Job goes, its controller releases the pods
// that the Job selects; it looks at any other again only when that changes (k8s v1.37
// pkg/controller/job/job_controller.go: deleteJob, updatePod, deletePod).
func jobGone(ctx context.Context, reads *session.Session, refusals *refusal.Checker, held Held) Answer {
	task := finding.Phrase{Situation: "ReleasePodOfGoneJob", Details: finding.TaskDetails{Object: held.Ref}}
	release := refusals.Release(held.Object, held.Hold, held.By, task)
	again := "kubectl-finalizers/look-again=" + held.Meta.ResourceVersion
	release.Remedies = []Remedy{{
		Step: "ChangePod", Command: reads.Kubectl.Command(held.Object, "annotate", "--overwrite", again),
	}, takeOffTracking(reads, held, finding.JobTrackingDetails{JobGone: true})}
	return refusals.Overdue(ctx, release)
}

// countedBy answers for the pod of a Job that kube-controller-manager runs (k8s v1.37
// pkg/controller/job/job_controller.go: canRemoveFinalizer, isPodFailed).
func countedBy(ctx context.Context, t *Tools, held Held, job *Object, typed *batchv1.Job) Answer {
	pod, answer := session.WholeAs[corev1.Pod](ctx, t.Session, held.Object)
	if pod == nil {
		return answer
	}
	policy := typed.Spec.PodReplacementPolicy
	task := finding.Phrase{Details: finding.TaskDetails{Object: held.Ref, Other: &job.Ref}}
	switch {
	case typed.DeletionTimestamp != nil:
		task.Situation = "ReleasePodOfGoingJob"
	case jobFinished(typed):
		task.Situation = "ReleasePodOfFinishedJob"
	case !podEnded(pod) && policy != nil && *policy == batchv1.Failed:
		return untilEnded(ctx, t, held.Object, pod, job)
	case pod.Status.Phase != corev1.PodSucceeded && typed.Spec.BackoffLimitPerIndex != nil:
		task.Situation = "ReleaseReplacedPod"
	default:
		task.Situation = "CountPod"
	}
	return unreleased(ctx, t.Refusals, held, task)
}

// jobFinished reports whether a Job has an outcome, be it one that it is still writing down.
func jobFinished(job *batchv1.Job) bool {
	outcomes := []batchv1.JobConditionType{
		batchv1.JobComplete, batchv1.JobFailed, batchv1.JobSuccessCriteriaMet, batchv1.JobFailureTarget,
	}
	return slices.ContainsFunc(job.Status.Conditions, func(is batchv1.JobCondition) bool {
		return is.Status == corev1.ConditionTrue && slices.Contains(outcomes, is.Type)
	})
}

// untilEnded answers for a pod whose Job replaces failed pods only: it is counted when its kubelet reports its end.
func untilEnded(ctx context.Context, t *Tools, object *Object, pod *corev1.Pod, job *Object) Answer {
	details := finding.TaskDetails{Object: object.Ref, Other: &job.Ref}
	if pod.Spec.NodeName == "" {
		return t.Refusals.Overdue(ctx, refusal.Duty{
			Object: object, Since: t.Session.Since(object),
			Task:   finding.Phrase{Situation: "FailUnassignedPod", Details: details},
			Writes: forgetting(object, refusal.SystemAccount("pod-garbage-collector")),
		})
	}
	answer := untilStopped(ctx, t, object, pod)
	answer.Remarks = append(answer.Remarks, Finding{
		Situation: "CountedWhenEnded", Object: object.Ref, Details: details,
		Evidence: []Evidence{job.Ref.Observed("spec.podReplacementPolicy Failed")},
	})
	return answer
}

// managedElsewhere answers for the pod of a Job that another controller runs: kube-controller-manager
// keeps its hands off such pods (k8s v1.37 pkg/controller/job/job_controller.go:handleSingleOrphanPod).
func managedElsewhere(ctx context.Context, t *Tools, held Held, job *Object, deleted bool, manager string) Answer {
	evidence := []Evidence{job.Ref.Observed("spec.managedBy %s", manager)}
	seen, what, err := managerSeen(ctx, t, manager)
	if err != nil {
		return session.Unread(what, err, evidence...)
	}
	details := finding.JobTrackingDetails{Job: &job.Ref, Manager: manager, Deleted: deleted}
	if len(seen) > 0 {
		return session.Open(Finding{
			Situation: "JobManagerSilent", Object: held.Ref, Details: details, Evidence: append(evidence, seen...),
		})
	}
	looked := finding.Observed("Deployments, StatefulSets, DaemonSets and API groups", "none names %s", manager)
	without := t.Session.Kubectl.Command(job, "delete", "--wait=false")
	if deleted { // deleting it again lets go of its pods, unless something else holds it
		without = t.Session.Kubectl.Command(job, "delete", "--cascade=background", "--wait=false")
	}
	return session.Cause(Finding{
		Reason: finding.ControllerMissing, Situation: "JobManagerMissing", Object: held.Ref, Finalizer: held.Hold.Name,
		Certainty: finding.Likely, Details: details, Evidence: append(evidence, looked),
		Key: finding.KeyOf("JobManagerMissing", held.Ref.Namespace, manager),
		Remedies: []Remedy{
			{Step: "BringJobManagerBack", Details: details, Command: t.Session.Kubectl.Command(job, "describe")},
			{Step: "DeleteJobOfManager", Details: details, Risk: finding.Disruption, Command: without},
			takeOffTracking(t.Session, held, finding.JobTrackingDetails{}),
		},
	})
}

func managerSeen(ctx context.Context, t *Tools, manager string) ([]Evidence, finding.Unread, error) {
	domain, _, _ := strings.Cut(manager, "/")
	servedKinds, err := t.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, finding.Unread{Aspect: finding.Discovery}, err
	}
	servedKinds.Ask(domain)
	inDomain := func(resource cluster.Resource) bool { return resource.Group == domain }
	if slices.ContainsFunc(servedKinds.Resources, inDomain) {
		return []Evidence{finding.Observed("discovery", "the API group %s is served", domain)}, finding.Unread{}, nil
	}
	var seen []Evidence
	workloads, what, err := t.Attribution.Told(ctx, manager)
	for _, workload := range workloads {
		seen = append(seen, workload.Ref.Observed("names %s", manager))
		if down, stopped := t.Health.Stopped(ctx, workload, nil); stopped {
			seen = append(seen, down.Evidence...)
		}
	}
	return seen, what, err
}

// notAJob answers for a pod that no Job controls. No controller of Kubernetes' own releases it; another's may.
func notAJob(ctx context.Context, reads *session.Session, held Held, owner *metav1.OwnerReference) Answer {
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	details := finding.JobTrackingDetails{Controller: kind.Kind + " " + owner.Name}
	evidence := []Evidence{held.Ref.Observed("its controller is %s (%s)", details.Controller, owner.APIVersion)}
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return session.Unread(finding.Unread{Aspect: finding.Discovery}, err, evidence...)
	}
	if resource, served := servedKinds.OfKind(kind.GroupKind()); served {
		_, err := reads.Reader.Metadata(ctx, resource, held.Ref.Namespace, owner.Name)
		switch {
		case apierrors.IsNotFound(err):
			evidence = append(evidence, finding.Observed(details.Controller, "not found"))
		case err != nil:
			return session.Unread(finding.Unread{Name: details.Controller}, err, evidence...)
		case kind.Group != "" && kind.Group != "apps":
			return session.Open(Finding{Situation: "TrackedByOther", Object: held.Ref, Details: details, Evidence: evidence})
		}
	}
	return session.Cause(Finding{
		Reason: finding.ControllerMissing, Situation: "TrackedByNobody", Object: held.Ref, Finalizer: held.Hold.Name,
		Certainty: finding.Likely, Details: details, Evidence: evidence,
		Remedies: []Remedy{{
			Step:    "AskWhoSetTracking",
			Command: reads.Kubectl.Command(held.Object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"),
		}, takeOffTracking(reads, held, details)},
	})
}

// takeOffTracking is the last resort for a pod, whose Job may be gone, or which no Job controls.
func takeOffTracking(reads *session.Session, held Held, details finding.JobTrackingDetails) Remedy {
	command := reads.Kubectl.Remove(held.Object, []string{held.Hold.Name})
	return Remedy{Step: "ForgetTracking", Details: details, Command: command, Risk: finding.Disruption}
}
