package attribution

import (
	"context"
	"slices"
)

// addOperator adds to the equals of a ranking who may do everything and is named as an operator of the kind, where
// nothing but its rights leads to the chosen one: operators are often bound to cluster-admin, and roles about a kind
// are also given to pipelines and to tools for backups. It answers false if it is not clear how that one fares.
func addOperator(ctx context.Context, s *search, ranked *ranking, candidates []*candidate) (clear bool) {
	chosen := ranked.found.candidate
	if chosen == nil || chosen.wroteEntry() || chosen.tied() || chosen.namedAsItsOperator() || s.criteria.known != nil {
		return true
	}
	at := slices.IndexFunc(candidates, func(c *candidate) bool {
		return c != chosen && c.mayOnlyAsAll() && c.namedAsItsOperator()
	})
	if at < 0 {
		return true
	}
	operator := candidates[at]
	if !slices.Contains(ranked.looked, operator) {
		operator.nominated = operator.score()
		if !s.examine(ctx, operator) || operator.state == candidateUnclear {
			return false
		}
		ranked.looked = append(slices.Clone(ranked.looked), operator)
	}
	there := operator.state == candidateAlive || operator.state == candidateDown
	if there && !slices.Contains(ranked.equals, operator) {
		ranked.equals = append(ranked.equals, operator)
	}
	return true
}
