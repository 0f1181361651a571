package health

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
)

// JobEnds is when a Job fails at the latest by a time limit of its own: zero where it has none. The limit counts from
// when the Job controller first saw it, or saw it resumed (k8s v1.37 pkg/controller/job/job_controller.go:
// pastActiveDeadline), whatever becomes of its pods.
func JobEnds(job *batchv1.Job) time.Time {
	limit, since := job.Spec.ActiveDeadlineSeconds, job.Status.StartTime
	if limit == nil || since == nil || job.Spec.Suspend != nil && *job.Spec.Suspend {
		return time.Time{}
	}
	return since.Add(time.Duration(*limit) * time.Second)
}
