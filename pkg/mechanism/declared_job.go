package mechanism

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/blockers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// declaredJob answers for a Job that a finalizer waits for by the catalogue. It uses nothing, it works, and ends by
// itself: at the latest at its time limit, if it has one. Only a Job that can't do its work holds a deletion up. The
// answer is empty for what isn't a Job.
func declaredJob(
	ctx context.Context, t *Tools, held Held, known plugins.Finalizer, wait plugins.Wait, job *Object,
) (answer Answer) {
	if !job.Is("batch", "Job") {
		return answer
	}
	read, err := session.ReadAs[batchv1.Job](ctx, t.Session, job)
	if err != nil {
		return session.Unread(finding.UnreadObject(job.Ref), err)
	}
	details := finding.StillInUseDetails{
		Says: wait.Says, Project: known.Project, Unverified: !known.Verified.WaitsFor.Done(),
	}
	evidence := []Evidence{attribution.KnownEvidence(held.Hold, known)}
	if ends := health.JobEnds(read); t.Session.Now().Before(ends) {
		if down, is := t.Health.ControlPlane.ControllerManagerDown(ctx, job); is {
			return down // which ends Jobs
		}
		details.Until = &ends
		limit := job.Ref.Observed("spec.activeDeadlineSeconds is %d", *read.Spec.ActiveDeadlineSeconds)
		return session.Progress(Finding{
			Situation: "WorkEnds", Object: job.Ref, Until: ends, Details: details,
			Key: finding.KeyOf("WorkEnds", job.Ref), Evidence: append([]Evidence{limit}, evidence...),
		})
	}
	see := Remedy{
		Step: "SeeDeclaredWork", Details: finding.StepDetails{Object: &job.Ref, Other: &held.Ref},
		Command: t.Session.Kubectl.Command(job, "describe"),
	}
	outage, is := blockers.OutageOf(ctx, t.Attribution, job)
	if !is {
		return session.Open(Finding{
			Situation: "WorkRuns", Object: job.Ref, Details: details, Remedies: []Remedy{see}, Evidence: evidence,
			Key: finding.KeyOf("WorkRuns", held.Hold.Name, job.Ref),
		})
	}
	details.Use = &outage.Words
	return session.Cause(Finding{
		Reason: finding.StillInUse, Situation: "DeclaredWork", Object: job.Ref, Certainty: finding.Likely, Details: details,
		Key:      finding.KeyOf("DeclaredWork", held.Hold.Name, held.Ref, job.Resource.QualifiedName()),
		Evidence: append(outage.Evidence, evidence...), Remedies: append(outage.Remedies, see),
	})
}
