package blockers

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// createdInVain answers for an object whose controller runs and doesn't say what it waits for, where a Job belongs to
// the object that was created since the deletion: nothing is made for an object that is being deleted but what is to
// clean up. If it has no pod that can do that, it is probably the cause.
func (d *descent) createdInVain(
	ctx context.Context, hold finding.Hold, said session.Answer,
) (answer session.Answer, found bool) {
	controller, words, _ := awaits(said)
	if controller == nil || d.survey == nil {
		return session.Answer{}, false
	}
	for _, job := range d.survey.Owned(d.object.Ref.UID) {
		if !job.Is("batch", "Job") || job.Meta.CreationTimestamp.Time.Before(d.object.RequestedAt()) {
			continue
		}
		outage, is := OutageOf(ctx, d.finder, job)
		if !is {
			continue
		}
		cause := finding.Finding{
			Reason: finding.StillInUse, Situation: "CreatedForDeletion", Object: job.Ref, Certainty: finding.Likely,
			Details: finding.StillInUseDetails{
				Of: &d.object.Ref, Declaration: controller, Words: words, Use: &outage.Words,
			},
			Key:      finding.KeyOf("CreatedForDeletion", hold.Name, d.object.Ref, job.Resource.QualifiedName()),
			Evidence: outage.Evidence, Remedies: outage.Remedies,
		}
		answer.Waits = append(answer.Waits, session.Until(job, func() session.Answer { return session.Cause(cause) }))
	}
	answer.Remarks, answer.Removal = said.Remarks, session.RemovalUnsure
	return answer, len(answer.Waits) > 0
}
