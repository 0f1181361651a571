package print

import (
	"cmp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func (t *explanationText) inCluster(told *result.InCluster) {
	if told == nil {
		return
	}
	t.w.line()
	if !told.Asked {
		t.facts([]fact{{
			"IN CLUSTER", []string{"The cluster was not asked whether the controller is there: " + told.WhyNot + "."},
		}})
		return
	}
	alike := func(one result.Presence) string { return one.Alike }
	if t.w.style.Wide {
		alike = func(one result.Presence) string { return strings.Join(one.Kinds, ",") }
	}
	for _, group := range groupBy(told.Controllers, alike) {
		one := group[0]
		heading := cmp.Or(string(one.Reason), one.State) // as why names it
		if one.Certainty != finding.Proven || one.State == "Missing" {
			heading += certainty(one.Certainty)
		}
		if len(one.Kinds) > 0 && (len(told.Controllers) > 1 || told.Guessed) {
			heading += ", for " + kindsInShort(one.Kinds)
		}
		text := heading + ". " + t.said.inShort(one.Message, one.InShort)
		if others := eachOf(group[1:], func(other result.Presence) []string { return other.Kinds }); len(others) > 0 {
			text += " The same applies to " + kindsInShort(others) + "."
		}
		t.facts([]fact{{"IN CLUSTER", []string{text}}})
		t.said.evidence(one.Evidence, mostEvidence)
		t.advice.steps(one.Remedies, result.RootCause{})
	}
	t.said.unread(told.Unreadable)
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
