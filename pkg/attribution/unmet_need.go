package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Declared is what the catalogue says of what a controller has to do for the held object, as far as it isn't done.
type Declared struct {
	Due    []Due
	Unmet  []Unmet
	Unread []finding.Unread // what may be unmet
}

// Unmet is an object that a controller needs by the catalogue, and that it can't use.
type Unmet struct {
	Object *session.Object
	Says   string // that it can't: it completes "OBJECT …"
	Words  string // that the object itself has on that
	State  finding.Evidence
	Why    finding.Evidence // that it is needed
}

// unmetNeed is the answer for a controller that runs and reports nothing, if it can't use what it needs for the
// cleanup. Words of its own say more, and so does what moves. What could not be read ends the first minute in which it
// may be at work.
func unmetNeed(h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	asks := follows == isUnknown || follows == isAtWork && seen.progress == mayMove
	chosen := c != nil && !c.byNameOnly && !c.ofKindOnly && len(h.search.equals) == 0
	if !asks || !chosen || seen.found != Running || seen.unread || !h.object.Terminating() {
		return session.Answer{}, false
	}
	if len(h.declared.Unmet) == 0 {
		h.search.failed = append(slices.Clone(h.search.failed), h.declared.Unread...)
		return h.unknown(c), len(h.declared.Unread) > 0
	}
	unmet := h.declared.Unmet[0]
	cause := h.failing(c, "", unmet.State)
	details, _ := cause.Details.(finding.ControllerDetails)
	details.Unmet = &finding.Unmet{Object: unmet.Object.Ref, Says: unmet.Says, Words: unmet.Words}
	cause.Situation, cause.Details = "NeedUnmet", details
	cause.Key = finding.KeyOf(h.key("unmet", c), unmet.Object.Ref)
	cause.Evidence = append(slices.Clone(cause.Evidence), unmet.Why)
	cause.Remedies = finding.Each(cause.Remedies, func(remedy finding.Remedy) finding.Remedy {
		if !finding.Is(remedy.Step, finding.FixesReported) {
			return remedy
		}
		return finding.Remedy{
			Step: "MendNeeded", Details: finding.StepDetails{Object: &unmet.Object.Ref}, Risk: finding.NoRisk,
			Command: h.search.session.Kubectl.Command(unmet.Object, "describe"),
		}
	})
	return session.Cause(cause), true
}
