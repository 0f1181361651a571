package attribution

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// unknown answers where nothing tells who removes the finalizer, or why that one has not.
func (s *search) unknown(c *candidate) facts.Answer {
	if s.known != nil {
		return s.unsettled(c)
	}
	evidence, setBy := s.whoSet()
	evidence = append(evidence, s.evidence...)
	if report, speaks := s.report(); speaks {
		evidence = append(evidence, s.reported(report))
	}
	why := "and nothing readable tells whose it is." + setBy
	awaited := "somebody unidentified to remove the finalizer " + s.hold.Name + " from %s"
	switch {
	case len(s.failed) > 0:
		why = "and whose it is can't be told without reading " + strings.Join(s.failed, "; and ") + "." + setBy
	case c != nil && c.nominal:
		why = fmt.Sprintf("which %s may be the one to remove: it %s, and nothing but names leads to it; %s.%s", c, strings.Join(c.hints, ", and "), c.fares(), setBy)
		evidence = append(evidence, c.evidence...)
	case c != nil:
		why = fmt.Sprintf("which %s may be the one to remove. It runs and may do so, and nothing readable tells why it has not; its logs may.%s%s", c, s.others(), setBy)
		awaited = fmt.Sprintf("%s, as far as can be told, to remove the finalizer %s from %%s", c, s.hold.Name)
		evidence = append(evidence, c.evidence...)
	case s.nothing:
		why = s.nothingGoesBy("and ") + "." + setBy
	case s.leased:
		why = "and a Lease of that project is renewed, so that something of it runs, and nothing leads to what holds it." + setBy
	case s.everyone != "":
		why = "and any program in the cluster may remove it." + setBy
	}
	remedies, candidates := s.AskThenRemove(s.object, s.hold), s.possible
	if s.made != nil {
		remedies = append(s.mendTemplate(), remedies[len(remedies)-1])
	}
	if c != nil {
		remedies, candidates = append(s.logs(c), remedies...), append(slices.Clone(s.possible), c.ref())
		if c.nominal && len(c.remedies) > 0 {
			remedies = append(slices.Clone(c.remedies), remedies[len(s.logs(c)):]...)
			remedies[0].Action = "If that is the one: " + strings.ToLower(remedies[0].Action[:1]) + remedies[0].Action[1:]
		}
	}
	for _, rival := range s.rivals {
		candidates = append(candidates, rival.ref())
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

// others names who else may be the controller, the likelier first, as a sentence.
func (s *search) others() string {
	if len(s.rivals) == 0 {
		return ""
	}
	names := make([]string, len(s.rivals))
	for i, rival := range s.rivals {
		names[i] = rival.String()
	}
	return fmt.Sprintf(" Less points at %s, which may be the one as well.", facts.Some(names, mostNamed))
}

// fares says in a few words how a candidate does that a name alone leads to.
func (c *candidate) fares() string {
	if c.state == candidateDown {
		return "it " + c.words
	}
	return "it runs, and nothing readable tells whether it is"
}

// nothingGoesBy says that nothing in the cluster has to do with a finalizer's domain.
func (s *search) nothingGoesBy(and string) string {
	if s.domain == "" {
		return and + "nothing in this cluster goes by the name of who set it"
	}
	return fmt.Sprintf("%snothing in this cluster goes by %s: no API group, role, webhook, Lease or workload", and, s.domain)
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
	if s.made != nil {
		who += " of the template of " + s.made.of.Ref.String()
	}
	return fmt.Sprintf("%s Finalizer %s on %s %s", what, s.hold.Name, s.object.Resource.QualifiedName(), who)
}

func (s *search) several(awaited string) func(int) string {
	return func(count int) string {
		return fmt.Sprintf(awaited, fmt.Sprintf("%d objects of kind %s", count, s.object.Ref.Kind))
	}
}
