package blockers

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// usedByLive answers for an object whose controller runs and says in its status, as no trouble, that others use it: the
// ones that it names, and that exist and aren't being deleted, have to end that. Only what the controller may have
// written counts, and since the deletion: said is the answer without that.
func usedByLive(
	ctx context.Context, reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer,
) (answer session.Answer, found bool) {
	cause, _ := onlyCause(said)
	silent, is := cause.Details.(finding.ControllerUnknownDetails)
	if !is || !finding.Is(cause.Situation, finding.ControllerRuns) || silent.Controller == nil || len(silent.Equals) > 0 {
		return session.Answer{}, false
	}
	named, _ := reads.NamedInWords(ctx, object, statuses.UsersNamed(silent.Said))
	for _, user := range slices.DeleteFunc(named, (*session.Object).Terminating) {
		answer.Waits = append(answer.Waits, session.Until(user, func() session.Answer {
			return session.Cause(userByReport(reads, object, hold, user, cause, silent))
		}))
	}
	answer.Remarks, answer.Removal = said.Remarks, session.RemovalUnsure
	return answer, len(answer.Waits) > 0
}

// userByReport is the cause of an object that uses the held one by what its controller says.
func userByReport(
	reads *session.Session, object *session.Object, hold finding.Hold, user *session.Object, cause finding.Finding,
	silent finding.ControllerUnknownDetails,
) finding.Finding {
	return finding.Finding{
		Reason: finding.StillInUse, Situation: "UserByReport", Object: user.Ref, Certainty: finding.Likely,
		Details:  finding.StillInUseDetails{Of: &object.Ref, Declaration: silent.Controller, Words: silent.Said},
		Key:      finding.KeyOf("UserByReport", hold.Name, object.Ref, user.Resource.QualifiedName()),
		Evidence: append([]finding.Evidence{session.ObservedOf(user, "exists and is not being deleted")}, cause.Evidence...),
		Signs:    cause.Signs,
		Remedies: []finding.Remedy{{
			Step:    "SeeDeclaredUser",
			Details: finding.StepDetails{Object: &user.Ref, Other: &object.Ref},
			Command: reads.Kubectl.Command(user, "describe"),
		}, {
			Step: "DeleteDeclaredUser", Details: finding.StepDetails{Object: &user.Ref},
			Command: reads.Kubectl.Command(user, "delete", "--wait=false"), Risk: finding.DataLoss,
		}},
	}
}
