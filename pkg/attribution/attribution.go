package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// RefusalsKnown is how far it is known whether anything refuses the removal of a finalizer.
type RefusalsKnown int

// How far it is known.
const (
	RefusalsDecided   RefusalsKnown = iota
	RefusalsUndecided               // what was read may refuse it: it depends on who asks, or is not clear
	RefusalsUnread                  // what may refuse it could not be read, or the API server not be asked
)

// Attribute says whose a custom resource's finalizer is, and why it is still there
// (docs/deletion.md#evidence-about-a-controller). Wherever a read fails that could lead to another answer, it knows
// nothing, and so where what may refuse the removal can't be read. What was read and may refuse it changes nothing for
// a controller that isn't there to remove the finalizer, or may not; nothing follows from any other. The answer then
// says who would send the removal.
func (f *Finder) Attribute(
	ctx context.Context, object *session.Object, hold finding.Hold, refused RefusalsKnown,
) session.Answer {
	h := f.heldBy(object, hold, nil)
	if !h.readTemplate(ctx) {
		return h.unknown(nil)
	}
	h.search = h.search.finder.searchedFor(ctx, h.search.criteria, h.object)
	quoteEvents(ctx, h)
	if refused == RefusalsDecided {
		return h.answer(ctx)
	}
	// Whose finalizer it is, is less sure of Kubernetes' own kinds than that its removal may be refused.
	if whatever := *h; refused == RefusalsUndecided && !h.search.criteria.kindOfKubernetes() {
		if answer := whatever.answer(ctx); answer.Absent() {
			return sentBy(answer, h.search.found, Down) // it may be refused also when it runs again
		}
	}
	if !h.search.leads.nothing {
		h.search.failed = append(h.search.failed, finding.Unread{Aspect: finding.Refusals})
	}
	return sentBy(withSigns(h.unknown(nil), considered(h.search, h.search.found)), h.search.found, Running)
}

// sentBy adds who would send the removal to an answer, if the controller is in a state.
func sentBy(answer session.Answer, found decision, state PresenceState) session.Answer {
	if c := found.candidate; found.state == state && c != nil && c.account.Name != "" {
		answer.By = c.sender().UserName()
	}
	return answer
}

// answer says what follows from who the controller is, and then from how it fares with the held object.
func (h *held) answer(ctx context.Context) session.Answer {
	found := unlessSetterLost(ctx, h, unlessSetByOther(h, h.search.found))
	found = unlessServesOthers(ctx, h, unlessOneActs(h, unlessAnotherActs(ctx, h, found)))
	found = h.reviewed(ctx, h.namedRights(settled(ctx, h, lockTaken(ctx, h, toldByLog(ctx, h, found)))))
	return withSigns(answerFor(ctx, h, found), considered(h.search, found))
}

func answerFor(ctx context.Context, h *held, found decision) session.Answer {
	c := found.candidate
	if found.state == Running && !h.object.Terminating() {
		return ofNamedGone(h, c) // nothing is asked of it yet
	}
	known := h.look(ctx, found)
	outcome := judge(known.standing)
	unseen := outcome == isUnknown || outcome == isAtWork && known.progress != isMoving
	if found.state == Running && unseen && !known.unread {
		if idle, is := ofAgentNode(ctx, h, c); is {
			return idle
		}
	}
	if special, is := insteadOf(ctx, h, c, outcome, known); is {
		return special
	}
	switch outcome {
	case isStarting, isDown, mayReturn:
		if outcome == isDown && len(h.search.equals) > 0 {
			return h.unknown(c)
		}
		return h.down(c)
	case isForbidden:
		if known.denied {
			return session.Cause(h.deniedRight(c, *known.denial, known.words, known.said))
		}
		return h.forbidden(ctx, c)
	case isFailing:
		return session.Cause(h.failing(c, known.words, known.said))
	case isAtWork:
		return h.atWork(c, known)
	case isMissing:
		if off, is := dutyOff(h); is {
			return off
		}
		return session.Cause(h.withSiblings(ctx, h.missing()))
	}
	if known.progress == onlyWrites {
		h.stamps = h.writes().lastWrite()
		h.search.evidence = append(slices.Clone(h.search.evidence), known.sign)
	}
	if known.wrote {
		h.writer = h.writes().lastWrite()
		h.search.evidence = append(slices.Clone(h.search.evidence), h.writes().writtenEvidence(h.writer))
	}
	return h.unknown(c)
}

// namedRights turns a controller that runs into one that is forbidden to remove the finalizer where RBAC lets it update
// other objects of the kind by their names, and this one not.
func (h *held) namedRights(found decision) decision {
	c := found.candidate
	if found.state != Running || c == nil || c.access == nil || !c.access.Write && !c.access.Ordinary.Write {
		return found
	}
	grants := h.search.finder.Grants()
	if grants != nil && !lets(grants, removalBy(c.sender(), h.object)) {
		found.state = Forbidden
	}
	return found
}

// known is a standing, and what shows it.
type known struct {
	standing
	words  string           // of its trouble
	said   finding.Evidence // that it reports an error
	denial *Denied          // that its words quote, if the standing is denied
	sign   finding.Evidence // that it moves, or writes
	progress
	warned bool // others report trouble
	old    bool // its words are in a condition that has not changed since the deletion
}

// look finds out what a controller says and does about the held object, as far as that matters: what it says decides
// before what it does, and a second look comes last.
func (h *held) look(ctx context.Context, found decision) known {
	c := found.candidate
	k := known{standing: standingOf(found)}
	switch found.state {
	case Running, Missing, nobody:
	case "":
		lives := reporters(h.search) != nil || h.search.leads.user != "" // elsewhere, and its words are told from others'
		if !lives || c != nil || len(h.search.failed) > 0 || !h.object.Terminating() {
			return k
		}
	default:
		return k
	}
	if !h.instance(ctx) {
		k.unread = true
		return k
	}
	if report, speaks := ownTrouble(ctx, h); speaks &&
		(found.state == Running || h.search.leads.liveLease || statusFresh(h.search, h.object)) {
		if found.state == Running {
			k.sign, k.moves = outpaced(ctx, h, report)
		}
		if !k.moves {
			h.hear(ctx, c, &k, report.Words, h.voices().reported(report))
			k.speaks = h.search.leads.user != "" && toldBySetter(h.search.criteria, report)
			k.old = report.Unchanged
		}
	}
	if found.state != Running {
		k.leads, k.outside = h.search.leads.liveLease, elsewhere(h.search)
		k.wrote = found.state != "" && h.writes().wroteLately(ctx)
		k.speaks = k.speaks || k.denied && h.runsAs(ctx, k.denial.Subject)
		if !k.reports {
			h.addReported(ctx, &k)
		}
		return k
	}
	if !k.reports {
		h.addEvents(ctx, c, &k)
	}
	if k.moves {
		k.progress = isMoving
	} else if !k.reports && !k.unread {
		k.addMovement(ctx, h, c)
	}
	return k
}

// addMovement adds what was seen to move. A controller that restarts over and over has had its first minute, and where
// it could not be read whether its account exists, only a write tells that it has it.
func (k *known) addMovement(ctx context.Context, h *held, c *candidate) {
	k.sign, k.progress = h.signOfWork(ctx, c, k.warned)
	if k.progress == mayMove && c.quiet != nil && quietTable()[c.quiet.kind].silences {
		k.progress = standsStill
	}
	k.moves = k.waits()
	if k.moves && c.unsure != nil && h.writes().lastWrite().At.IsZero() {
		k.unread = true
		h.search.failed = append(slices.Clone(h.search.failed), *c.unsure)
	}
}

// atWork says that the controller is at work, or may be, with its last words.
func (h *held) atWork(c *candidate, seen known) session.Answer {
	working := finding.Finding{
		Situation: "ControllerAtWork", Object: h.object.Ref, Finalizer: h.hold.Name,
		Details:  finding.ControllerDetails{Controller: c.ref(), Words: lastWords(h), Moves: seen.progress == isMoving},
		Evidence: append(slices.Clone(c.evidence), seen.sign),
	}
	if seen.progress == mayMove {
		working.Situation = "ControllerMayBeAtWork"
	}
	return session.Progress(working)
}

// elsewhere reports whether the controller is known never to run in this cluster.
func elsewhere(search search) bool {
	return search.criteria.known != nil && search.criteria.known.AlwaysOutside
}

func statusFresh(search search, object *session.Object) bool {
	if object.Whole == nil {
		return false
	}
	written := writers.StatusWritten(object.Whole.GetManagedFields())
	return !written.At.Before(object.RequestedAt()) && search.session.Now().Sub(written.At) < signs.DriverAlive
}
