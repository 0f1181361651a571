package health

import (
	"context"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// workloadSpec is what of a workload reports whether it should have pods: the kinds' fields of one name are alike.
type workloadSpec struct {
	Spec struct {
		Replicas *int32                `json:"replicas"` // not of a DaemonSet or a Job
		Paused   bool                  `json:"paused"`   // of a Deployment
		Suspend  bool                  `json:"suspend"`  // of a Job or a CronJob
		Schedule string                `json:"schedule"` // of a CronJob
		Selector *metav1.LabelSelector `json:"selector"`
	} `json:"spec"`
	Status struct {
		ObservedGeneration     int64              `json:"observedGeneration"`
		DesiredNumberScheduled int32              `json:"desiredNumberScheduled"` // of a DaemonSet
		Conditions             []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// specOf is a workload's spec as far as it was read.
func specOf(workload *session.Object) *workloadSpec {
	if workload.Whole != nil {
		if read, err := session.As[workloadSpec](workload.Whole); err == nil {
			return read
		}
	}
	return &workloadSpec{}
}

// condition returns the first condition of one of some types that is so, or nil.
func (w *workloadSpec) condition(is metav1.ConditionStatus, types ...string) *metav1.Condition {
	for _, text := range types {
		if found := meta.FindStatusCondition(w.Status.Conditions, text); found != nil && found.Status == is {
			return found
		}
	}
	return nil
}

// Stopped answers for a workload that should have no pods, or that has ended.
func (c *Checker) Stopped(ctx context.Context, workload *session.Object, pods []*corev1.Pod) (Outage, bool) {
	read := specOf(workload)
	switch {
	case read.Spec.Replicas != nil && *read.Spec.Replicas == 0:
		return c.beforeStart(ctx, workload, scaledDown(c.Session, workload)), true
	case workload.Is("batch", "Job"):
		if found, ended := c.jobEnded(ctx, workload, read, pods); ended {
			return found, true
		}
		if read.Spec.Suspend {
			return c.beforeStart(ctx, workload, suspended(c.Session, workload)), true
		}
	}
	return Outage{}, false
}

func scaledDown(reads *session.Session, workload *session.Object) Outage {
	return Outage{
		Words:    finding.Phrase{Situation: "ScaledToZero"},
		Evidence: []finding.Evidence{workload.Ref.Observed("spec.replicas is 0").Ranked(finding.Told)},
		Remedies: []finding.Remedy{{
			Step:    "ScaleUp",
			Details: finding.StepDetails{Object: &workload.Ref, Appliers: session.AppliersOf(workload)},
			Command: reads.Kubectl.Command(workload, "scale", "--replicas=1"),
		}},
	}
}

// suspended answers for a Job or a CronJob that starts no pods while its spec.suspend is true.
func suspended(reads *session.Session, workload *session.Object) Outage {
	return Outage{
		Words:    finding.Phrase{Situation: "WorkloadSuspended"},
		Evidence: []finding.Evidence{workload.Ref.Observed("spec.suspend is true")},
		Remedies: []finding.Remedy{{
			Step:    "Resume",
			Details: finding.StepDetails{Object: &workload.Ref, Appliers: session.AppliersOf(workload)},
			Command: reads.Kubectl.Command(workload, "patch", "--type=merge", "-p", `{"spec":{"suspend":false}}`),
		}},
	}
}

// jobEnded answers for a Job that starts no pods any more: it has failed, or completed. FailureTarget and
// SuccessCriteriaMet are there while its last pods end (k8s v1.37 staging/src/k8s.io/api/batch/v1/types.go).
func (c *Checker) jobEnded(
	ctx context.Context, job *session.Object, read *workloadSpec, pods []*corev1.Pod,
) (Outage, bool) {
	if done := read.condition(metav1.ConditionTrue, "Complete", "SuccessCriteriaMet"); done != nil {
		evidence := when(job.Ref.Observed("condition %s is True", done.Type), done.LastTransitionTime.Time)
		return Outage{
			Words: finding.Phrase{Situation: "JobCompleted"}, Evidence: []finding.Evidence{evidence}, Rests: true,
		}, true
	}
	failed := read.condition(metav1.ConditionTrue, "Failed", "FailureTarget")
	if failed == nil {
		return Outage{}, false
	}
	details := finding.WorkloadState{Reason: failed.Reason, Words: failed.Message}
	evidence := job.Ref.Observed("%s", finding.ByColons("condition "+failed.Type, failed.Reason, failed.Message))
	found := Outage{Evidence: []finding.Evidence{when(evidence, failed.LastTransitionTime.Time)}}
	look := finding.Remedy{Step: "SeeWhyFailed", Command: c.Session.Kubectl.Command(job, "describe")}
	if len(pods) > 0 {
		self := objectOf(pods[0])
		stage := c.podStage(ctx, self, pods[0])
		details.Pod, details.Stage = &self.Ref, &stage.Phrase
		found.Evidence = append(found.Evidence, stage.evidence...)
		look = finding.Remedy{Step: "ReadLogs", Command: c.Session.Kubectl.Command(self, "logs", "--all-containers")}
	}
	found.Words = finding.Phrase{Situation: "JobFailed", Details: details}
	found.Remedies = []finding.Remedy{look, {
		Step: "RunJobAgain", Details: finding.StepDetails{Object: &job.Ref},
		Command: c.Session.Kubectl.Command(job, "get", "-o", "yaml"),
	}}
	return found, true
}

// cronJobOutage answers for a CronJob: by its own spec, and by the last of the Jobs that it has started.
func (c *Checker) cronJobOutage(ctx context.Context, cron *session.Object) Outage {
	_, _ = c.Session.Whole(ctx, cron) // a failure is remembered; its Jobs still tell something
	read := specOf(cron)
	switch {
	case cron.Terminating():
		return deletedOutage(c.Session, cron)
	case read.Spec.Suspend:
		return c.beforeStart(ctx, cron, suspended(c.Session, cron))
	}
	rests := Outage{Words: finding.Phrase{Situation: "CronJobWaits"}, Rests: true}
	if read.Spec.Schedule != "" {
		rests.Evidence = []finding.Evidence{cron.Ref.Observed("spec.schedule is %q", read.Spec.Schedule)}
	}
	jobs, err := session.ListWhole[batchv1.Job](ctx, c.Session, cluster.Jobs(), cron.Ref.Namespace, cluster.Selector{})
	if err != nil {
		return rests
	}
	last := newestOf(jobs, cron.Ref.UID)
	if last == nil {
		return rests
	}
	pods, _ := PodsOf(ctx, c.Session, last)
	outage := c.Outage(ctx, last, pods)
	if outage.Rests {
		return rests
	}
	words := outage.Words
	outage.Words = finding.Phrase{Situation: "CronJobFails", Details: finding.WorkloadState{Job: &last.Ref, State: &words}}
	if finding.Is(words.Situation, finding.HasFailed) {
		from := "--from=cronjob/" + cron.Ref.Name
		again := c.Session.Kubectl.Prefix(cron.Ref, "create", "job", last.Ref.Name+"-again", from)
		outage.Remedies[len(outage.Remedies)-1] = finding.Remedy{
			Step: "RunCronJobAgain", Details: finding.StepDetails{Object: &cron.Ref}, Command: again,
		}
	}
	return outage
}

// newestOf returns the newest of some objects that one owner controls, or nil.
func newestOf[T any](items []session.Item[T], owner string) (newest *session.Object) {
	for _, item := range items {
		controlled := slices.ContainsFunc(item.Object.Meta.OwnerReferences, func(by metav1.OwnerReference) bool {
			return string(by.UID) == owner && by.Controller != nil && *by.Controller
		})
		if controlled && (newest == nil || newest.Meta.CreationTimestamp.Before(&item.Object.Meta.CreationTimestamp)) {
			newest = item.Object
		}
	}
	return newest
}
