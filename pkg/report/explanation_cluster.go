package report

import (
	"cmp"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// InCluster is what the cluster says about a finalizer's controller.
type InCluster struct {
	Asked       bool         `json:"asked"`             // there was a cluster, and it answered
	WhyNot      string       `json:"whyNot,omitempty"`  // why it was not asked
	Server      string       `json:"server,omitempty"`  // where the answer comes from
	Guessed     bool         `json:"guessed,omitempty"` // the kinds, from the API group in the finalizer's name
	Controllers []Presence   `json:"controllers"`
	Unreadable  []Unreadable `json:"unreadable"`
}

// NotServed is the state of a finalizer of whose kinds the cluster serves none.
const NotServed = "NotServed"

// Presence is how the controller of a finalizer on some kinds fares.
type Presence struct {
	Project string   `json:"project,omitempty"` // the plugin's; empty where none knows the finalizer
	Kinds   []string `json:"kinds,omitempty"`
	State   string   `json:"state"` // Running, Starting, Down, Forbidden, Missing, NotServed or Unknown
	// Reason is the reason code of what a deletion would get stuck on.
	Reason     finding.Reason     `json:"reason,omitempty"`
	Certainty  finding.Certainty  `json:"certainty"`
	Controller *finding.Ref       `json:"controller,omitempty"`
	Message    string             `json:"message"`
	InShort    finding.InShort    `json:"-"`                   // the message, as the default output has it
	Situation  string             `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details    any                `json:"details,omitempty"`
	Key        string             `json:"-"` // the same for kinds that are described in the same way
	Alike      string             `json:"-"` // the same for kinds whose answers differ in their names alone
	Evidence   []finding.Evidence `json:"evidence"`
	Remedies   []finding.Remedy   `json:"remedies"`
}

func (w *writer) inCluster(told *InCluster) {
	if told == nil {
		return
	}
	w.line()
	if !told.Asked {
		w.facts([]fact{{
			"IN CLUSTER", []string{"The cluster was not asked whether the controller is there: " + told.WhyNot + "."},
		}})
		return
	}
	alike := func(one Presence) string { return one.Alike }
	if w.style.Wide {
		alike = func(one Presence) string { return strings.Join(one.Kinds, ",") }
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
		text := heading + ". " + w.inShort(one.Message, one.InShort)
		if others := eachOf(group[1:], func(other Presence) []string { return other.Kinds }); len(others) > 0 {
			text += " The same applies to " + kindsInShort(others) + "."
		}
		w.facts([]fact{{"IN CLUSTER", []string{text}}})
		w.evidence(one.Evidence, mostEvidence)
		w.steps(one.Remedies, RootCause{})
	}
	w.unread(told.Unreadable)
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
