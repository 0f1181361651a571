// Package mechanism knows the ways in which Kubernetes holds a deletion, one small file for each.
//
// A mechanism is asked about one hold of one Terminating object. It reads the least that decides, through the Tools,
// and answers with what the hold waits for, with causes, with what is in progress, or with what is not clear. It never
// decides the verdict: that is pkg/diagnosis's.
//
// This package may change at any time.
package mechanism

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/blockers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// What every mechanism speaks of.
type (
	Object   = session.Object
	Answer   = session.Answer
	Wait     = session.Wait
	Finding  = finding.Finding
	Evidence = finding.Evidence
	Remedy   = finding.Remedy
)

// Held is an object and one of its holds.
type Held struct {
	*Object
	Hold finding.Hold
	By   string // the account in kube-system of the controller that ends the hold, if it is one of Kubernetes' own
}

// Mechanism explains one way in which objects are held: by holds of a type with a name, or with any; a name that ends
// in a slash is the beginning of one. kind, with its group, is that of the objects; any if it is empty.
type Mechanism struct {
	hold       finding.HoldType
	name, kind string
	explain    explainer
	bearer     *bearer // of a hold that a program named by the object must end; else nil
}

type explainer func(ctx context.Context, t *Tools, held Held) (Answer, bool)

// Explain answers for a hold. It answers false when the hold isn't the mechanism's own.
func (m Mechanism) Explain(ctx context.Context, tools *Tools, held Held) (Answer, bool) {
	if !m.about(held.Object, held.Hold) {
		return Answer{}, false
	}
	return m.explain(ctx, tools, held)
}

// about reports whether the mechanism is to be asked about a hold.
func (m Mechanism) about(object *Object, hold finding.Hold) bool {
	begins := strings.HasSuffix(m.name, "/") && strings.HasPrefix(hold.Name, m.name)
	named := m.name == "" || m.name == hold.Name || begins
	return named && (m.hold == "" || m.hold == hold.Type) &&
		(m.kind == "" || m.kind == object.Resource.GroupKind().String())
}

// Explain asks the mechanisms about one hold of a Terminating object. Where the write that would end it is due, what
// refuses that write is part of the answer.
func Explain(ctx context.Context, tools *Tools, object *Object, hold finding.Hold) Answer {
	held := Held{Object: object, Hold: hold}
	for _, mechanism := range Table() {
		answer, mine := mechanism.Explain(ctx, tools, held)
		if !mine {
			continue
		}
		off := false
		if mechanism.name == "" { // Kubernetes' own controllers know no switch
			answer, off = switchedOff(ctx, tools, held, answer)
		}
		if !off {
			answer = reportedRefusal(ctx, tools, held, answer)
		}
		elsewhere := false
		if !off && mechanism.name == "" {
			answer = hookedDeletion(ctx, tools, held, answer)
		}
		if !off {
			answer, elsewhere = acrossBorder(ctx, tools, held, answer)
		}
		answer = awaitNamespaces(ctx, tools.Session, held, answer)
		waits := len(answer.Waits) > 0
		if hold.Type == finding.GracePeriod || waits && !awaitsController(answer) || answer.Removal != session.RemovalDue {
			return answer
		}
		write := refusal.RemovalOf(object, hold)
		write.By = answer.By
		refused := tools.Refusals.Refused(ctx, write)
		if refused.Found() {
			return refusedRemoval(held, answer, refused)
		}
		if waits {
			return answer
		}
		if answer = unrefusedRemoval(tools.Refusals, held, answer, refused); off || elsewhere {
			return answer
		}
		return blockers.Search(ctx, tools.Attribution, object, hold, answer)
	}
	return Answer{}
}

// awaitsController reports whether an answer waits for nothing but a controller that isn't running.
func awaitsController(answer Answer) bool {
	return !slices.ContainsFunc(answer.Waits, func(wait Wait) bool {
		down := func(cause Finding) bool { return cause.Reason == finding.ControllerDown && cause.Finalizer != "" }
		return !wait.ForAnswer || !slices.ContainsFunc(wait.Otherwise.Causes, down)
	})
}

// askWhoMayRead is the first thing to do where permissions are all that an answer lacks, and no status reports trouble.
func askWhoMayRead(note Finding) []Remedy {
	forbidden := func(one finding.Unread) bool { return one.Why == finding.Forbidden }
	details, _ := note.Details.(finding.ControllerUnknownDetails)
	if details.Reported != "" || !slices.ContainsFunc(note.Unread, forbidden) {
		return nil
	}
	return []Remedy{{Step: "AskWhoMayRead", Risk: finding.NoRisk}}
}

// unrefusedRemoval is the answer for a hold whose removal nothing is known to refuse. What may refuse it, as far as can
// be read, is named where nothing says why its controller has not removed it, and leaves open whether anything
// continues where not even that could be read.
func unrefusedRemoval(refusals *refusal.Checker, held Held, said Answer, refused refusal.Refusals) Answer {
	suspects, ask := refusals.Suspects(held.Object, refused)
	suspected := func(notes []Finding) []Finding {
		return finding.Each(notes, func(note Finding) Finding {
			_, known := note.Details.(finding.KnownFinalizerDetails)
			_, inside := note.Details.(finding.ContentUnreadDetails) // which is about the finalizers of others
			if known || note.Reason == finding.ControllerUnknown && !inside {
				first := slices.Concat(askWhoMayRead(note), ask)
				note.Evidence, note.Remedies = slices.Concat(note.Evidence, suspects), slices.Concat(first, note.Remedies)
			}
			return note
		})
	}
	answer := Answer{Remarks: said.Remarks, Causes: suspected(said.Causes), Open: suspected(said.Open)}
	for _, note := range said.Progress {
		answer.Add(refused.Continues(note, refusals.Session.Foresees))
	}
	return answer
}
