package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// awaitsPerson is the answer for a controller that reports nothing but that a person has to agree or to act, whether
// its condition calls that trouble or not. Nothing is wrong with it, so no fix would change that.
func awaitsPerson(h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	if !h.object.Terminating() || h.object.Whole == nil {
		return session.Answer{}, false
	}
	names := statuses.Names(h.object.Whole)
	words, said := seen.words, seen.said
	if follows == isUnknown && seen.found == Running && !seen.unread {
		for _, saying := range sayings(h.search, h.object) {
			if words == "" && saying.Seen && !h.voices().byOthers(saying) {
				words, said = saying.Words, h.voices().reported(saying)
			}
		}
	} else if follows != isFailing {
		return session.Answer{}, false
	}
	chosen := c == nil || !c.byNameOnly && !c.ofKindOnly && len(h.search.equals) == 0
	if !statuses.AwaitsPerson(words, names...) || follows == isUnknown && !chosen {
		return session.Answer{}, false
	}
	remedies := []finding.Remedy{{
		Step: "AskForConsent", Details: finding.StepDetails{Object: &h.object.Ref}, Risk: finding.NoRisk,
		Command: h.search.session.Kubectl.Command(h.object, "describe"),
	}}
	details := finding.ControllerDetails{Words: words, Controller: c.ref(), Runs: seen.found == Running}
	if c != nil {
		details.Clues = linked(h.search, h.object, c)
	}
	cause := h.cause(finding.DeletionProtected, c, append(remedies, wayOut(h.search, h.note, true)...))
	cause.Situation, cause.Details, cause.Key = "PersonAwaited", details, h.key("awaits a person", c)
	cause.Evidence = append([]finding.Evidence{said}, cause.Evidence...)
	return session.Cause(cause), true
}

// insteadOf is the answer where what a controller waits for, or lacks, says more than how it fares.
func insteadOf(ctx context.Context, h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	if closed, is := closedTo(ctx, h, c, follows, seen); is {
		return closed, true
	}
	if lacking, is := lacking(ctx, h, c, follows, seen); is {
		return lacking, true
	}
	if blocked, is := blockedDuty(ctx, h, c, follows, seen); is {
		return blocked, true
	}
	if unmet, is := unmetNeed(h, c, follows, seen); is {
		return unmet, true
	}
	if left, is := namedGone(h, c, follows, seen); is {
		return left, true
	}
	return awaitsPerson(h, c, follows, seen)
}
