package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// AttributeKnown tells how the controller fares that the catalogue names. What that says of workloads is looked for
// first; where that leads nowhere, the cluster is asked as for any other finalizer. Where nothing tells, the note does:
// whose it is, after all, is known. Its situation is KnownFinalizer.
func (f *Finder) AttributeKnown(
	ctx context.Context, object *session.Object, hold finding.Hold, known plugins.Finalizer, note finding.Finding,
) session.Answer {
	h := f.heldBy(object, hold, &known)
	h.note = note
	return h.fares(ctx)
}

// fares tells how the controller does that the plugin names.
func (h *held) fares(ctx context.Context) session.Answer {
	if answer, moves := h.writtenLately(ctx); moves {
		return answer
	}
	h.find(ctx)
	return h.answer(ctx)
}

// decideKnown examines what the plugin names.
func (s *search) decideKnown(ctx context.Context) decision {
	found, err := s.cataloguedWorkloads(ctx)
	if err != nil {
		return decision{state: decidedUnsettled}
	}
	if len(found) > 0 {
		c := found[0]
		if !s.examine(ctx, c) {
			return decision{state: decidedUnsettled}
		}
		if c.state == candidateDown {
			return decision{decidedDown, c}
		}
		return s.allowed(ctx, c)
	}
	if s.searchable() {
		names := finding.Some(s.known.Workloads, mostNamed)
		s.evidence = append(s.evidence, finding.Evidence{Source: "workloads", Observed: "none goes by the name of " + names})
	}
	if !s.foreign() {
		if !s.rankByRights(ctx) {
			return decision{state: decidedUnsettled}
		}
		return s.decide(ctx)
	}
	if !s.searchable() || !s.known.Verified.Controller.Done() || s.known.MayRunOutside != "" {
		return decision{state: decidedUnsettled} // not finding it means nothing
	}
	return decision{state: decidedMissing}
}

// allowed decides about the plugin's own workload, which runs: RBAC may have taken away what it needs.
func (s *search) allowed(ctx context.Context, c *candidate) decision {
	if s.foreign() || c.account.Name == "" {
		return decision{decidedRunning, c}
	}
	grants, err := s.finder.permissions(ctx)
	if err != nil {
		s.cannot(finding.Unread{Aspect: finding.Rights}, err)
		return decision{decidedUnsettled, c}
	}
	allowed := false
	for _, access := range grants.Access(s.resource.GroupResource(), s.namespace) {
		own := access.Subject == c.account
		if own {
			c.access = access
		}
		concerns := own || access.Everybody() || access.InNamespace(c.namespace)
		writes := access.Write || access.Ordinary.Write || s.ofKind && len(access.Elsewhere) > 0
		allowed = allowed || concerns && writes
	}
	if !allowed {
		return decision{decidedForbidden, c}
	}
	return decision{decidedRunning, c}
}

// knownDetails are what the catalogue says of the finalizer: as much of it as is to be told of a live object, or of
// one that is being deleted.
func (h *held) knownDetails() finding.KnownFinalizerDetails {
	if details, given := h.note.Details.(finding.KnownFinalizerDetails); given {
		return details
	}
	return KnownDetails(*h.known)
}

// KnownDetails are what the catalogue says of a finalizer.
func KnownDetails(known plugins.Finalizer) finding.KnownFinalizerDetails {
	return finding.KnownFinalizerDetails{
		RemovedBy: known.RemovedBy, WaitsFor: known.WaitsFor, Doubt: known.Verified.Doubt(),
		MayRunOutside: known.MayRunOutside,
	}
}

// KnownEvidence is what a plugin says, and how sure that is.
func KnownEvidence(hold finding.Hold, known plugins.Finalizer) finding.Evidence {
	observed := known.Source
	if observed == "" {
		observed = known.File
	}
	if doubt := known.Verified.Doubt(); doubt != "" {
		observed += " (unverified: " + doubt + ")"
	}
	return finding.Evidence{Source: "what is known of " + hold.Name, Observed: observed}
}
