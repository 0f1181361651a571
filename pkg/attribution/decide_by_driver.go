package attribution

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// decideByDriver looks for the workload that has a driver's sidecar in it, and decides how that fares.
func (s *search) decideByDriver(ctx context.Context) decision {
	d := &driverSearch{search: s, drivers: map[string]*session.Object{s.criteria.driver: nil}}
	if !d.readDrivers(ctx) || !d.readLeases(ctx) || !d.readPrograms(ctx) {
		return decision{}
	}
	candidates := d.candidates()
	if len(candidates) == 0 && len(d.unclear) == 1 && len(d.others()) == 0 && !d.left(ctx) {
		one, known := d.onlyOne(ctx)
		if !known {
			return decision{}
		}
		candidates = one
	}
	if len(candidates) == 0 {
		return d.nobody(ctx)
	}
	sortByScore(candidates)
	decided := s.among(ctx, candidates)
	if decided.state == Running {
		return d.permitted(ctx, decided.candidate)
	}
	return decided
}
