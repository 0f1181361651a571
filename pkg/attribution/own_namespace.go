package attribution

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// ownNamespace is the limit of a program that acts in its own namespace alone by the catalogue, unless its template
// says that it acts in others.
func ownNamespace(s *search, namespace string, said []limits.Limit) (limits.Limit, bool) {
	known := s.criteria.known
	if known == nil || !known.OwnNamespace || !s.criteria.resource.Namespaced {
		return limits.Limit{}, false
	}
	names := func(one limits.Limit) bool { return len(one.Namespaces) > 0 && !one.Unsure }
	return limits.OwnNamespace(namespace), !slices.ContainsFunc(said, names)
}

// installBeside is how a controller comes back that acts in its own namespace alone: in the held object's.
func installBeside(h *held, known *plugins.Finalizer) finding.Remedy {
	return finding.Remedy{Step: "InstallInOwnNamespace", Risk: finding.NoRisk, Details: finding.StepDetails{
		Name: known.RemovedBy, Text: h.object.Ref.Namespace, Closed: goingNamespace(h.search, h.object),
		Names: known.Links[:min(1, len(known.Links))],
	}}
}
