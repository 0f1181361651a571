package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// attributeKnown tells how the controller fares that a plugin names. What the plugin says of workloads is
// looked for first; where that leads nowhere, the cluster is asked as for any other finalizer. Where
// nothing tells, the note does: whose it is, after all, is known.
func (w *World) attributeKnown(ctx context.Context, object *Object, hold graph.Hold, known plugins.Finalizer, note Note) Answer {
	refused := w.refused(ctx, removalOf(object, hold))
	answer := open(note)
	if !refused.found() && len(refused.unsure) == 0 {
		s := &search{World: w, object: object, hold: hold, setters: controller.Setters(object.Meta, hold.Name), known: &known, note: note}
		answer = s.fares(ctx)
	}
	answer.refused = &refused
	return answer
}

// fares tells how the controller does that the plugin names.
func (s *search) fares(ctx context.Context) Answer {
	if answer, moves := s.moving(ctx); moves {
		return answer
	}
	return s.answer(ctx, s.decideKnown(ctx))
}

// decideKnown examines what the plugin names.
func (s *search) decideKnown(ctx context.Context) decision {
	found, err := s.plugged(ctx)
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
		s.evidence = append(s.evidence, graph.Evidence{Source: "workloads", Observed: "none goes by the name of " + some(s.known.Workloads, 3)})
	}
	if custom(s.object.Resource.Group) {
		if !s.who(ctx) {
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
	if !custom(s.object.Resource.Group) || c.account.Name == "" {
		return decision{decidedRunning, c}
	}
	grants, err := s.permissions(ctx)
	if err != nil {
		s.cannot("what RBAC allows", err)
		return decision{decidedUnsettled, c}
	}
	allowed := false
	for _, access := range grants.Access(s.object.Resource.GroupResource(), s.object.Ref.Namespace) {
		own := access.Subject == c.account
		if own {
			c.access = access
		}
		allowed = allowed || (own || access.Everybody() || access.InNamespace(c.namespace)) && (access.Write || access.Ordinary.Write || s.ofKind && len(access.Elsewhere) > 0)
	}
	if !allowed {
		return decision{decidedForbidden, c}
	}
	return decision{decidedRunning, c}
}

// wayOut is what the plugin says may be done instead of a removal by force.
func (s *search) wayOut() []graph.Remedy {
	if s.known == nil || s.known.SafeWayOut == "" {
		return nil
	}
	return []graph.Remedy{{Action: s.known.SafeWayOut, Risk: graph.NoRisk}}
}
