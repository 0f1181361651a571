package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// withRefusals adds to an answer what refuses to let the hold be taken off, whoever tries. It matters
// where the hold waits for nothing else: then somebody should be trying now.
func (w *World) withRefusals(ctx context.Context, object *Object, hold graph.Hold, answer Answer) Answer {
	if hold.Type == graph.GracePeriod || len(answer.Waits) > 0 || answer.settled {
		return answer
	}
	refused := w.refusalsOf(ctx, object, hold, answer)
	unknown := func(cause graph.Cause) bool { return cause.Reason == graph.ControllerUnknown }
	if !refused.found() {
		for i := range answer.Causes {
			if unknown(answer.Causes[i]) {
				w.suspect(&answer.Causes[i], object, refused)
			}
		}
		if len(refused.unsure) > 0 { // nothing may go on at all
			for _, note := range answer.Progress {
				answer.Open = append(answer.Open, doubted(note, unreadRefusal, refused.unsure))
			}
			answer.Progress = nil
		}
		return answer
	}
	if slices.ContainsFunc(answer.Causes, unknown) {
		answer.Remarks = append(answer.Remarks, Note{
			Message: fmt.Sprintf("Once updates of %s pass again, whoever set %s still has to remove it. Whether they try was not seen.", object.Ref, hold.Name),
			Awaited: "whoever set " + hold.Name, Holds: true,
		})
	}
	answer.Causes = slices.DeleteFunc(answer.Causes, unknown)
	answer.Progress, answer.Open = nil, nil // nothing goes on as long as the write is refused
	answer.add(refused.answer)
	return answer
}

// refusalsOf is what refuses to let a hold be taken off. What was asked once isn't asked again.
func (w *World) refusalsOf(ctx context.Context, object *Object, hold graph.Hold, answer Answer) refusals {
	if answer.refused != nil {
		return *answer.refused
	}
	return w.refused(ctx, removalOf(object, hold))
}

// suspect adds to the cause of a finalizer that nobody answers for what may refuse its removal, for all
// that can be read, and how to learn whether it does.
func (w *World) suspect(unknown *graph.Cause, object *Object, refused refusals) {
	suspects := slices.Concat(refused.unsure, refused.remote)
	if w.Prober != nil {
		suspects = refused.unsure // the API server was asked
	}
	unknown.Evidence = append(unknown.Evidence, suspects...)
	if len(suspects) == 0 || w.Prober != nil {
		return
	}
	unknown.Remedies = slices.Insert(slices.Clone(unknown.Remedies), 0, graph.Remedy{
		Action:  "Learn whether anything refuses to let the finalizer go: --probe sends its removal as a dry run, which changes nothing.",
		Command: w.Kubectl.Why(object, "--probe"),
		Risk:    graph.NoRisk,
	})
}

const unreadRefusal = "whether anything refuses that could not be read"

// doubted is a note of progress of which it can't be told whether it is true.
func doubted(note Note, doubt string, why []graph.Evidence) Note {
	note.Message += " " + strings.ToUpper(doubt[:1]) + doubt[1:] + "."
	note.Awaited += "; " + doubt
	note.Evidence = append(slices.Clone(note.Evidence), why...)
	return note
}

// removalOf is the write that takes a hold off an object, sent by nobody knows whom.
func removalOf(object *Object, hold graph.Hold) write {
	if hold.Type == graph.SpecFinalizer {
		return write{operation: admissionregistrationv1.Update, object: object, subresource: "finalize"}
	}
	return removal(object, hold.Name, "")
}
