package attribution

import (
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// unlessSetterLost is a decision that a program is down which may remove the finalizer, unless another one runs that
// has set it, has written to the object since it was created, and may only read the kind now: it had the right, and has
// lost it. One that has set the finalizer of what it created, and wrote no more, never needed the right: who removes
// the finalizer may well be another program.
func unlessSetterLost(ctx context.Context, h *held, found decision) decision {
	s := &h.search
	if found.state != Down || found.candidate.wroteEntry() || s.criteria.known != nil || s.criteria.kindOfKubernetes() ||
		s.subjects.everyone != nil || h.object.Meta == nil {
		return found
	}
	for _, c := range s.subjects.limited {
		if !c.wroteEntry() || !updatedBy(h, c) {
			continue
		}
		own := *c
		own.evidence = slices.Clip(own.evidence)
		s.met, s.failed, s.evidence = slices.Clip(s.met), slices.Clip(s.failed), slices.Clip(s.evidence)
		if s.examine(ctx, &own) && own.state == candidateAlive && s.suspect(&own) {
			return decision{Forbidden, &own}
		}
	}
	return found
}

// updatedBy reports whether a candidate has set the finalizer of an object that was there before: it wrote later than
// the creation, or has nothing of the spec, which another program wrote.
func updatedBy(h *held, c *candidate) bool {
	created := h.object.Meta.CreationTimestamp.Time
	specified := writers.Writers(h.object.Meta.ManagedFields, "f:spec")
	return slices.ContainsFunc(h.setters, func(setter writers.Setter) bool {
		foreign := len(specified) > 0 && !slices.ContainsFunc(specified, func(one writers.Written) bool {
			return one.Manager == setter.Manager
		})
		return !setter.ByHand && c.isCalled(setter.Manager) && (foreign || setter.At.After(created.Add(time.Second)))
	})
}
