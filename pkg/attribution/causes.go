package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// unknown answers where nothing tells who removes the finalizer, or why that one has not.
func (s *search) unknown(c *candidate) facts.Answer {
	if s.known != nil {
		return s.unsettled(c)
	}
	evidence, setBy := s.WhoSet(s.object, s.hold)
	evidence = append(evidence, s.evidence...)
	if report, speaks := s.report(); speaks {
		evidence = append(evidence, s.reported(report))
	}
	why := "and nothing readable tells whose it is." + setBy
	awaited := "somebody unidentified to remove the finalizer " + s.hold.Name + " from %s"
	switch {
	case len(s.failed) > 0:
		why = "and whose it is can't be told without reading " + strings.Join(s.failed, "; and ") + "." + setBy
	case c != nil:
		why = fmt.Sprintf("which %s may be the one to remove. It runs and may do so, and nothing readable tells why it has not; its logs may.%s", c, setBy)
		awaited = fmt.Sprintf("%s, as far as can be told, to remove the finalizer %s from %%s", c, s.hold.Name)
		evidence = append(evidence, c.evidence...)
	case s.everyone != "":
		why = "and any program in the cluster may remove it." + setBy
	}
	remedies, candidates := s.AskThenRemove(s.object, s.hold), s.possible
	if c != nil {
		remedies, candidates = append(s.logs(c), remedies...), append(slices.Clone(s.possible), c.ref())
	}
	if len(candidates)+len(s.failed) > 0 {
		remedies = facts.Overriding(remedies, graph.ControllerUnknown)
	}
	return facts.Cause(graph.Cause{
		Reason: graph.ControllerUnknown, Object: s.object.Ref, Finalizer: s.hold.Name, Certainty: graph.Unknown,
		Message: fmt.Sprintf("%s is held by the finalizer %s, %s", s.object.Ref, s.hold.Name, why),
		Awaited: fmt.Sprintf(awaited, s.object.Ref), Evidence: evidence, Remedies: remedies,
		Candidates: candidates, Unread: s.failed,
		Alike: s.alike("unidentified", c), Several: s.several(awaited),
	})
}

// unsettled answers for a finalizer of which a plugin tells whose it is: nothing tells how that one fares.
func (s *search) unsettled(c *candidate) facts.Answer {
	note := s.note
	note.Evidence = append(slices.Clone(note.Evidence), s.evidence...)
	switch {
	case len(s.failed) > 0:
		note.Message += " How that one fares can't be told without reading " + strings.Join(s.failed, "; and ") + "."
	case c != nil:
		note.Message += fmt.Sprintf(" %s runs, and nothing readable tells why it has not.", c)
		note.Evidence = append(note.Evidence, c.evidence...)
		note.Remedies = append(slices.Clone(note.Remedies), s.logs(c)...)
	}
	return facts.Open(note)
}

// alike joins causes of one kind about one finalizer and one controller.
func (s *search) alike(what string, c *candidate) string {
	who := ""
	if c != nil {
		who = c.String()
	}
	return fmt.Sprintf("%s Finalizer %s on %s %s", what, s.hold.Name, s.object.Resource.QualifiedName(), who)
}

func (s *search) several(awaited string) func(int) string {
	return func(count int) string {
		return fmt.Sprintf(awaited, fmt.Sprintf("%d objects of kind %s", count, s.object.Ref.Kind))
	}
}

// missing is the cause of an object whose controller is not in this cluster. That is certain where
// RBAC lets nobody but administrators remove the finalizer, or those whom it lets don't exist; it is
// likely where somebody may who may do everything.
func (s *search) missing() graph.Cause {
	ref := s.object.Ref
	evidence, _ := s.WhoSet(s.object, s.hold)
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
		Evidence: evidence, Remedies: slices.Concat(s.bringBack(first, s.object.Resource.QualifiedName()), s.wayOut(), []graph.Remedy{s.lastResort()}),
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
		return "its controller", fmt.Sprintf("it ran as %s, and %s", gone.account, gone.buried)
	case gone.state == candidateGone:
		return "its controller", fmt.Sprintf("it ran as %s, which no longer exists", gone.account)
	}
	return "its controller", fmt.Sprintf("it would run as %s, and nothing in this cluster does", gone.account)
}

func (s *search) missingCertainty() graph.Certainty {
	sure := func(c *candidate) bool { return c.state == candidateGone || c.buried != "" || c.stale }
	unsure := slices.ContainsFunc(s.gone, func(c *candidate) bool { return !sure(c) })
	if _, found := s.unexplained(); found {
		return graph.Likely
	}
	if s.known != nil && s.known.MayRunOutside != "" || s.everyone != "" || len(s.ordinary) > 0 || len(s.outside) > 0 || unsure || len(s.gone) == 0 && s.nobody == "" {
		return graph.Likely
	}
	return graph.Proven
}

// down is the answer for a controller of which no pod is ready.
func (s *search) down(c *candidate) facts.Answer {
	if c.starting {
		return facts.Progress(facts.Note{
			Message:  fmt.Sprintf("%s, which should remove %s (%s), may just be starting: it %s.", c.workload.Ref, s.hold.Name, s.linked(c), c.words),
			Awaited:  fmt.Sprintf("%s to start, and to remove %s", c.workload.Ref, s.hold.Name),
			Evidence: c.evidence,
		})
	}
	certainty := graph.Likely
	if c.stale && c.access != nil && c.access.Write {
		certainty = graph.Proven
	}
	evidence, _ := s.WhoSet(s.object, s.hold)
	evidence = append(append(evidence, s.evidence...), c.evidence...)
	remedies := slices.Clone(c.remedies)
	if len(remedies) == 0 {
		remedies = s.logs(c)
	}
	down := facts.Cause(graph.Cause{
		Reason: graph.ControllerDown, Object: c.workload.Ref, Finalizer: s.hold.Name, Certainty: certainty,
		Message:  fmt.Sprintf("%s, which should remove %s (%s), %s.", c.workload.Ref, s.hold.Name, s.linked(c), c.words),
		Awaited:  fmt.Sprintf("%s to remove %s; it %s", c.workload.Ref, s.hold.Name, c.words),
		Evidence: evidence, Remedies: facts.Overriding(append(remedies, s.lastResort()), graph.ControllerDown),
	})
	return facts.Answer{Waits: []facts.Wait{{Blocker: c.workload, ForAnswer: true, Otherwise: down}}}
}

// linked says in a few words why somebody is taken for the controller.
func (s *search) linked(c *candidate) string {
	switch {
	case c.allowed:
		return fmt.Sprintf("it runs as %s, which another authorizer than RBAC lets update %s", c.account, s.object.Resource.QualifiedName())
	case c.access != nil && c.access.Write:
		return fmt.Sprintf("it runs as %s, which RBAC lets update %s", c.account, s.object.Resource.QualifiedName())
	case c.access != nil:
		return fmt.Sprintf("it runs as %s, which %s", c.account, c.may(s.object.Resource.QualifiedName()))
	}
	return "it " + strings.Join(c.hints, ", and ")
}

// suspected says in a few words why somebody who may not remove the finalizer is taken for the one to do so.
func (s *search) suspected(c *candidate) string {
	words := slices.Clone(c.hints)
	if c.access != nil {
		words = append([]string{c.may(s.object.Resource.QualifiedName())}, words...)
	}
	return "it " + strings.Join(words, ", ")
}

// forbidden is the answer for a controller that runs and may not remove the finalizer.
func (s *search) forbidden(c *candidate) facts.Answer {
	ref, resource := s.object.Ref, s.object.Resource.QualifiedName()
	evidence, _ := s.WhoSet(s.object, s.hold)
	evidence = append(append(evidence, s.evidence...), c.evidence...)
	who := c.String()
	if c.account.Name != "" {
		who = c.account.String()
	}
	awaited := fmt.Sprintf("%s to be allowed to remove the finalizer %s from %%s: %s %s", who, s.hold.Name, c.refusal(), resource)
	remedies := []graph.Remedy{}
	switch {
	case c.denied:
		remedies = append(remedies, s.allow(c, resource)[0], graph.Remedy{Action: "Ask who runs this cluster's API server: its authorization webhook or configuration denies what RBAC grants.", Risk: graph.NoRisk})
	case c.account.Name != "":
		remedies = append(remedies, s.allow(c, resource)...)
	}
	return facts.Cause(graph.Cause{
		Reason: graph.ControllerForbidden, Object: ref, Finalizer: s.hold.Name, Certainty: graph.Likely,
		Message: fmt.Sprintf("%s is held by the finalizer %s. %s runs and is likely the one to remove it (%s), and %s %s%s.",
			ref, s.hold.Name, who, s.suspected(c), c.refusal(), resource, within(ref)),
		Awaited: fmt.Sprintf(awaited, ref), Evidence: evidence, Remedies: facts.Overriding(append(remedies, s.lastResort()), graph.ControllerForbidden),
		Alike: s.alike("forbidden controller", c), Several: s.several(awaited),
	})
}

func within(ref graph.Ref) string {
	if ref.Namespace == "" {
		return ""
	}
	return " in " + ref.Namespace
}

// failing is the cause of an object of which its controller says that something is wrong.
func (s *search) failing(c *candidate, words string, said graph.Evidence) graph.Cause {
	ref := s.object.Ref
	evidence, _ := s.WhoSet(s.object, s.hold)
	evidence = append(append([]graph.Evidence{said}, evidence...), s.evidence...)
	who := "its controller"
	remedies := []graph.Remedy{{
		Action: "Mend what is reported. The controller tries again by itself.", Command: s.Kubectl.Command(s.object, "describe"), Risk: graph.NoRisk,
	}}
	if c != nil {
		who = c.String()
		evidence = append(evidence, c.evidence...)
		remedies = append(remedies, s.logs(c)...)
	}
	return graph.Cause{
		Reason: graph.ControllerFailing, Object: ref, Finalizer: s.hold.Name, Certainty: graph.Likely,
		Message:  fmt.Sprintf("%s is held by the finalizer %s; %s runs, and reports of it: %s.", ref, s.hold.Name, who, facts.Quoted(words)),
		Awaited:  fmt.Sprintf("%s to remove the finalizer %s from %s, of which it reports: %s", who, s.hold.Name, ref, facts.Quoted(words)),
		Evidence: evidence, Remedies: facts.Overriding(append(remedies, s.lastResort()), graph.ControllerFailing),
	}
}
