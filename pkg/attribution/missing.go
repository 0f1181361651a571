package attribution

import (
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// missing is the cause of an object whose controller is not in this cluster. That is certain where
// RBAC lets nobody but administrators remove the finalizer, or those whom it lets don't exist; it is
// likely where somebody may who may do everything.
func (s *search) missing() graph.Cause {
	ref := s.object.Ref
	evidence, _ := s.whoSet()
	evidence = append(evidence, s.evidence...)
	for _, c := range s.gone {
		evidence = append(evidence, c.evidence...)
	}
	if report, speaks := s.report(); speaks {
		evidence = append(evidence, s.reported(report))
	}
	var first *candidate
	if len(s.gone) > 0 {
		first = s.gone[0]
	} else {
		evidence = append(evidence, s.surroundings()...)
	}
	evidence = append(evidence, s.sayUnexplained()...)
	certainty := s.missingCertainty()
	who, why := s.absent(first)
	message := fmt.Sprintf("%s is held by the finalizer %s, and nothing in this cluster is there to remove it: %s.", ref, s.hold.Name, why)
	if certainty != graph.Proven {
		message += " Its controller may run outside this cluster; nothing in here can tell."
	}
	if s.known != nil {
		evidence = append(slices.Clone(s.note.Evidence), evidence...)
		message = s.note.Message + " Nothing in this cluster is there to do so: " + why + "."
		if s.known.MayRunOutside != "" {
			message += fmt.Sprintf(" %s may run outside the cluster: %s.", s.known.RemovedBy, s.known.MayRunOutside)
		}
	}
	awaited := fmt.Sprintf("%s to remove the finalizer %s from %%s: %s", who, s.hold.Name, why)
	return graph.Cause{
		Reason: graph.ControllerMissing, Object: ref, Finalizer: s.hold.Name, Certainty: certainty,
		Message: message, Awaited: fmt.Sprintf(awaited, ref),
		Evidence: evidence, Remedies: slices.Concat(s.bringBack(first), s.wayOut(), []graph.Remedy{s.lastResort()}),
		Alike: s.alike("missing controller", first), Several: s.several(awaited),
	}
}

// surroundings tells of the held object's namespace, if that is known to be on its way out: a controller
// that ran in it went first (deletion-mechanics B.3-9).
func (s *search) surroundings() []graph.Evidence {
	whole, known := s.Reader.Known(cluster.Namespaces(), "", s.object.Ref.Namespace)
	if !known || whole.GetDeletionTimestamp() == nil {
		return nil
	}
	namespace := facts.Named(cluster.Namespaces(), "", whole.GetName())
	return []graph.Evidence{refusal.ObservedOf(namespace, "is being deleted, pods first: if the operator lived in this namespace, it went with it and can't come back here")}
}

// absent says who is missing, and in which way.
func (s *search) absent(gone *candidate) (who, why string) {
	ran, run := "ran", "would run"
	if s.missingCertainty() != graph.Proven {
		ran, run = "likely ran", "would likely run"
	}
	switch {
	case gone == nil && s.known != nil:
		who, why = s.known.RemovedBy, s.known.RemovedBy+" is not visible in this cluster"
		if s.nobody != "" {
			why += ", and " + s.nobody
		}
		if s.known.Verified.Doubt() != "" {
			who += " (unverified)"
		}
		return who, why
	case gone == nil:
		return "a controller that is not visible in this cluster", s.nobody
	case gone.buried != "":
		return "its controller", fmt.Sprintf("it %s as %s, and %s", ran, gone.account, gone.buried)
	case gone.state == candidateGone:
		return "its controller", fmt.Sprintf("it %s as %s, which no longer exists", ran, gone.account)
	}
	return "its controller", fmt.Sprintf("it %s as %s, and nothing in this cluster does", run, gone.account)
}

func (s *search) missingCertainty() graph.Certainty {
	sure := func(c *candidate) bool { return c.state == candidateGone || c.buried != "" || c.stale }
	unsure := slices.ContainsFunc(s.gone, func(c *candidate) bool { return !sure(c) })
	if _, found := s.unexplained(); found || s.foreign() {
		return graph.Likely
	}
	if s.known != nil && s.known.MayRunOutside != "" || s.everyone != "" || len(s.ordinary) > 0 || len(s.outside) > 0 || unsure || len(s.gone) == 0 && s.nobody == "" {
		return graph.Likely
	}
	return graph.Proven
}
