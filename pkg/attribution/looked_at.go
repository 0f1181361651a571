package attribution

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Places that not every search has to look at.
const (
	ofDefinition = "the definition of the kind"
	ofStaticPods = "static pods"
)

// placesToLook are where traces of a controller may be, as they are told, in that order. Custom workloads come last.
func placesToLook() []string {
	return []string{
		"managedFields", "API groups", "RBAC", ofDefinition, "webhooks", "Leases", ofStaticPods, "Deployments",
		"StatefulSets", "DaemonSets", "Jobs", "CronJobs", "ReplicaSets", "ReplicationControllers",
	}
}

// sees remembers that a search has looked at something, and could read it.
func sees(s *search, place string) {
	if !slices.Contains(s.lookedAt, place) {
		s.lookedAt = append(slices.Clip(s.lookedAt), place)
	}
}

// sumUpPlaces says what a search has looked at and what not, for answers that say what nothing in the cluster shows.
func sumUpPlaces(ctx context.Context, s *search) {
	sees(s, "managedFields")
	all := placesToLook()
	for _, kind := range customWorkloads(ctx, s.session) {
		all = append(all, kind.QualifiedName())
	}
	seen := s.lookedAt
	if s.criteria.kindOfKubernetes() { // which has none
		all = slices.DeleteFunc(all, func(place string) bool { return place == ofDefinition })
	}
	if slices.Contains(seen, "RBAC") && len(certified(s)) == 0 { // RBAC shows that none of them may do it
		all = slices.DeleteFunc(all, func(place string) bool { return place == ofStaticPods })
	}
	s.lookedAt = slices.DeleteFunc(slices.Clone(all), func(place string) bool { return !slices.Contains(seen, place) })
	s.notLookedAt = slices.DeleteFunc(all, func(place string) bool { return slices.Contains(seen, place) })
}

// places says what was looked at, as evidence beside what nothing shows.
func (h *held) places() finding.Evidence {
	looked := finding.Evidence{Source: "looked at", Observed: finding.And(h.search.lookedAt)}
	if len(h.search.notLookedAt) > 0 {
		looked.Observed += "; not looked at: " + finding.And(h.search.notLookedAt)
	}
	return looked
}

// addPlaces adds what was looked at, where a cause says that nothing there shows a controller.
func addPlaces(h *held, cause *finding.Finding, details *finding.ControllerUnknownDetails) {
	if finding.Is(cause.Situation, finding.NothingShows) {
		details.LookedAt, details.NotLookedAt = h.search.lookedAt, h.search.notLookedAt
		cause.Evidence = append(cause.Evidence, h.places())
	}
}
