package blockers

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// report is what a controller says of an object, and the answer's cause that has it.
type report struct {
	cause      finding.Finding
	controller *finding.Ref
	words      string
}

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
	return awaitUsers(
		reads, object, hold, said, report{cause: cause, controller: silent.Controller, words: silent.Said}, named,
	)
}

// failsByUse answers for an object whose controller reports as an error that it can't delete it, because others use it:
// the ones that it names, or lists in a field for them. If it says that something isn't there, the use explains what
// that is, and not the error. One that is being deleted itself, or can't be read, is for followWords.
func failsByUse(
	ctx context.Context, reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer,
	reported finding.ControllerDetails,
) (answer session.Answer, found bool) {
	users := statuses.UsersNamed(reported.Words)
	if !statuses.SpeaksOfDeletion(reported.Words, object.Ref.Name, object.Ref.Kind) {
		users = ""
	}
	if users == "" && object.Whole != nil {
		users = statuses.ListedUsers(object.Whole, reported.Words)
	}
	if users == "" || reported.Controller == nil || statuses.SaysAbsent(reported.Words) {
		return session.Answer{}, false
	}
	named, unread := reads.NamedInWords(ctx, object, users)
	if len(unread) > 0 || slices.ContainsFunc(named, (*session.Object).Terminating) {
		return session.Answer{}, false
	}
	return awaitUsers(
		reads, object, hold, said,
		report{cause: said.Causes[0], controller: reported.Controller, words: reported.Words}, named,
	)
}

// awaitUsers waits for those of some users that are not being deleted.
func awaitUsers(
	reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer, by report,
	users []*session.Object,
) (answer session.Answer, found bool) {
	for _, user := range slices.DeleteFunc(users, (*session.Object).Terminating) {
		answer.Waits = append(answer.Waits, session.Until(user, func() session.Answer {
			return session.Cause(userByReport(reads, object, hold, user, by))
		}))
	}
	answer.Remarks, answer.Removal = said.Remarks, session.RemovalUnsure
	return answer, len(answer.Waits) > 0
}

// userByReport is the cause of an object that uses the held one by what its controller says.
func userByReport(
	reads *session.Session, object *session.Object, hold finding.Hold, user *session.Object, by report,
) finding.Finding {
	return finding.Finding{
		Reason: finding.StillInUse, Situation: "UserByReport", Object: user.Ref, Certainty: finding.Likely,
		Details: finding.StillInUseDetails{Of: &object.Ref, Declaration: by.controller, Words: by.words},
		Key:     finding.KeyOf("UserByReport", hold.Name, object.Ref, user.Resource.QualifiedName()),
		Evidence: append(
			[]finding.Evidence{session.ObservedOf(user, "exists and is not being deleted")}, by.cause.Evidence...,
		),
		Signs: by.cause.Signs,
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
