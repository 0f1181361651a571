package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// WithRefusals adds to an answer what refuses to let the hold be taken off, whoever tries. It matters
// where the hold waits for nothing else: then somebody should be trying now.
func (w *World) WithRefusals(ctx context.Context, object *facts.Object, hold graph.Hold, answer facts.Answer) facts.Answer {
	if hold.Type == graph.GracePeriod || len(answer.Waits) > 0 || answer.Settled {
		return answer
	}
	refused := w.Refused(ctx, RemovalOf(object, hold))
	unknown := func(cause graph.Cause) bool { return cause.Reason == graph.ControllerUnknown }
	if !refused.Found() {
		for i := range answer.Causes {
			if unknown(answer.Causes[i]) {
				w.suspect(&answer.Causes[i], object, refused)
			}
		}
		if len(refused.Unsure) > 0 { // nothing may go on at all
			for _, note := range answer.Progress {
				answer.Open = append(answer.Open, Doubted(note, UnreadRefusal, refused.Unsure))
			}
			answer.Progress = nil
		}
		return answer
	}
	if slices.ContainsFunc(answer.Causes, unknown) {
		answer.Remarks = append(answer.Remarks, facts.Note{
			Message: fmt.Sprintf("Once updates of %s pass again, whoever set %s still has to remove it. Whether they try was not seen.", object.Ref, hold.Name),
			Awaited: "whoever set " + hold.Name, Holds: true,
		})
	}
	answer.Causes = slices.DeleteFunc(answer.Causes, unknown)
	answer.Progress, answer.Open = nil, nil // nothing goes on as long as the write is refused
	answer.Add(refused.Answer)
	return answer
}

// suspect adds to the cause of a finalizer that nobody answers for what may refuse its removal, for all
// that can be read, and how to learn whether it does.
func (w *World) suspect(unknown *graph.Cause, object *facts.Object, refused Refusals) {
	suspects := slices.Concat(refused.Unsure, refused.remote)
	if w.Prober != nil {
		suspects = refused.Unsure // the API server was asked
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

// UnreadRefusal is the doubt that remains where admission configuration could not be read.
const UnreadRefusal = "whether anything refuses that could not be read"

// Doubted is a note of progress of which it can't be told whether it is true.
func Doubted(note facts.Note, doubt string, why []graph.Evidence) facts.Note {
	note.Message += " " + strings.ToUpper(doubt[:1]) + doubt[1:] + "."
	note.Awaited += "; " + doubt
	note.Evidence = append(slices.Clone(note.Evidence), why...)
	return note
}

// RemovalOf is the write that takes a hold off an object, sent by nobody knows whom.
func RemovalOf(object *facts.Object, hold graph.Hold) Write {
	if hold.Type == graph.SpecFinalizer {
		return Write{Operation: admissionregistrationv1.Update, Object: object, Subresource: "finalize"}
	}
	return Removal(object, hold.Name, "")
}
