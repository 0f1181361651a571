package print

import (
	"cmp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func (t *explanationText) inCluster(inCluster *result.InCluster) {
	if inCluster == nil {
		return
	}
	t.w.line()
	if !inCluster.Asked {
		t.facts([]fact{{
			"IN CLUSTER", []string{"The cluster was not asked whether the controller is there: " + inCluster.WhyNot + "."},
		}})
		return
	}
	alike := func(presence result.Presence) string { return presence.Alike }
	if t.w.style.Wide {
		alike = func(presence result.Presence) string { return strings.Join(presence.Kinds, ",") }
	}
	for _, group := range groupBy(inCluster.Controllers, alike) {
		presence := group[0]
		heading := cmp.Or(string(presence.Reason), presence.State) // as why names it
		if presence.Certainty != finding.Proven || presence.State == "Missing" {
			heading += certainty(presence.Certainty)
		}
		if len(presence.Kinds) > 0 && (len(inCluster.Controllers) > 1 || inCluster.Guessed) {
			heading += ", for " + kindsInShort(presence.Kinds)
		}
		text := heading + ". " + t.said.inShort(presence.Message, presence.InShort)
		if others := eachOf(group[1:], func(other result.Presence) []string { return other.Kinds }); len(others) > 0 {
			text += " The same applies to " + kindsInShort(others) + "."
		}
		t.facts([]fact{{"IN CLUSTER", []string{text}}})
		t.said.evidence(presence.Evidence, mostEvidence)
		t.advice.steps(presence.Remedies, result.RootCause{})
	}
	t.said.unread(inCluster.Unreadable)
}

// kindsInShort names kinds, those of one API group together: Node, Bucket and HelmChart of source.toolkit.fluxcd.io.
func kindsInShort(kinds []string) string {
	group := func(kind string) string {
		_, group, _ := strings.Cut(kind, ".")
		return group
	}
	var parts []string
	for _, of := range groupBy(kinds, group) {
		if name := group(of[0]); name != "" && len(of) > 1 {
			short := finding.Each(of, func(kind string) string { return strings.TrimSuffix(kind, "."+name) })
			parts = append(parts, finding.And(short)+" of "+name)
			continue
		}
		parts = append(parts, of...)
	}
	return strings.Join(parts, ", ")
}
