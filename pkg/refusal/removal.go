package refusal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// WithRefusals adds to an answer what refuses to let the hold be taken off, whoever tries. It matters
// where the hold waits for nothing else: then somebody should be trying now.
func (c *Checker) WithRefusals(ctx context.Context, object *session.Object, hold finding.Hold, answer session.Answer) session.Answer {
	if hold.Type == finding.GracePeriod || len(answer.Waits) > 0 || answer.Settled {
		return answer
	}
	refused := c.Refused(ctx, RemovalOf(object, hold))
	unknown := func(cause finding.Finding) bool { return cause.Reason == finding.ControllerUnknown }
	if !refused.Found() {
		for i := range answer.Causes {
			if unknown(answer.Causes[i]) {
				c.suspect(&answer.Causes[i], object, refused)
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
		answer.Remarks = append(answer.Remarks, finding.Finding{
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
func (c *Checker) suspect(unknown *finding.Finding, object *session.Object, refused Refusals) {
	suspects := slices.Concat(refused.Unsure, refused.remote)
	if c.Prober != nil {
		suspects = refused.Unsure // the API server was asked
	}
	unknown.Evidence = append(unknown.Evidence, suspects...)
	if len(suspects) == 0 || c.Prober != nil {
		return
	}
	unknown.Remedies = slices.Insert(slices.Clone(unknown.Remedies), 0, finding.Remedy{
		Action:  "Learn whether anything refuses to let the finalizer go: --probe sends its removal as a dry run, which changes nothing.",
		Command: c.Session.Kubectl.Why(object, "--probe"),
		Risk:    finding.NoRisk,
	})
}

// UnreadRefusal is the doubt that remains where admission configuration could not be read.
const UnreadRefusal = "whether anything refuses that could not be read"

// Doubted is a note of progress of which it can't be told whether it is true.
func Doubted(note finding.Finding, doubt string, why []finding.Evidence) finding.Finding {
	if note.Situation != "" { // bridge
		note.Message, note.Awaited = finding.Voice{}.Message(note), finding.Voice{}.Awaits(note)
		note.Key, note.Situation = "", ""
	}
	note.Message += " " + strings.ToUpper(doubt[:1]) + doubt[1:] + "."
	note.Awaited += "; " + doubt
	note.Evidence = append(slices.Clone(note.Evidence), why...)
	return note
}

// RemovalOf is the write that takes a hold off an object, sent by nobody knows whom.
func RemovalOf(object *session.Object, hold finding.Hold) Write {
	if hold.Type == finding.SpecFinalizer {
		return Write{Operation: admissionregistrationv1.Update, Object: object, Subresource: "finalize"}
	}
	return Removal(object, hold.Name, "")
}
