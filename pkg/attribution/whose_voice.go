package attribution

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

// voice is whose an event's words are.
type voice int

const (
	ofAnother  voice = iota // evidence, and no more
	ofObserver              // of a program that reports about everything: nothing
	ofController
)

// voiceOf says in whose voice something is reported about the held object. instance is what the reporter says about its
// process. c is nil if the controller is not known.
func (v voices) voiceOf(c *candidate, reporter, instance string) voice {
	entry := v.search.criteria.known
	known := entry != nil && (matchesAny(entry.Reporters, reporter) || matchesAny(entry.Managers, reporter))
	switch {
	case known || c.runs(reporter, instance) || c.isCalled(reporter) && v.search.finder.Plugins.Observes(reporter):
		return ofController
	case v.search.finder.Plugins.Observes(reporter) && !naming.Mentions(
		reporter, v.search.terms().ofProject()...,
	):
		return ofObserver
	case v.claimed(reporter):
		return ofAnother
	case v.named(c, reporter), ofItsKind(*v.search, reporter):
		return ofController
	}
	return ofAnother
}

// quotesDenial reports whether words quote the API server's denial of a candidate's own request: then they are the
// candidate's, whatever the reporter calls itself.
func (c *candidate) quotesDenial(words string) bool {
	denied, quoted := rbac.Denied(words)
	return c != nil && quoted && denied.Subject.Account() && denied.Subject == c.account
}

// runs reports whether a candidate's programs have a name: its workload, account, containers or pods.
func (c *candidate) runs(name, instance string) bool {
	if c == nil {
		return false
	}
	names := append([]string{c.account.Name}, c.programs...)
	if c.workload != nil {
		names = append(names, c.workload.Ref.Name)
	}
	return slices.ContainsFunc(names, func(own string) bool {
		return !naming.Generic(own) && (own == name || instance != "" && naming.Mentions(instance, own))
	})
}

// named reports whether a name is the controller's by its words: the project's, that of who set the finalizer, or the
// candidate's. Others may be beside, unless they say that this is another of the project's programs.
func (v voices) named(c *candidate, name string) bool {
	if naming.Generic(name) {
		return false
	}
	words := v.search.terms().all()
	if c != nil {
		words = append(words, c.account.Name)
		if c.workload != nil {
			words = append(words, c.workload.Ref.Name)
		}
	}
	words = slices.DeleteFunc(words, naming.Generic)
	part := slices.ContainsFunc(words, func(word string) bool { return naming.Mentions(word, name) })
	if !part && !naming.Mentions(name, words...) {
		return false
	}
	same := func(other string) bool { return other == name }
	if c != nil && name != c.account.Name && v.search.finder.account(c.account, same) {
		return false
	}
	own := naming.NameWords(strings.Join(append(words, v.search.criteria.resource.Kind), " "))
	return !slices.ContainsFunc(naming.NameWords(name), func(word string) bool {
		return naming.NamedForOtherDuty(word) && !slices.Contains(own, word)
	})
}

// ofItsKind reports whether a name says only which kind a program manages: database-controller, of Databases. For kinds
// of Kubernetes' own, several programs do, and these say what they are; only a bare service or ingress names none.
func ofItsKind(search search, name string) bool {
	kind := strings.ToLower(search.criteria.resource.Kind)
	if search.criteria.kindOfKubernetes() {
		return strings.EqualFold(name, kind)
	}
	if naming.Generic(name) {
		return name != "" // it names no other program
	}
	rest := slices.DeleteFunc(naming.NameWords(name), naming.Generic)
	return strings.Join(rest, "") == kind || slices.Equal(rest, []string{search.criteria.resource.Resource})
}

// claimed reports whether the catalogue names a reporter for another finalizer of the held object.
func (v voices) claimed(reporter string) bool {
	kind := v.search.criteria.resource.GroupKind().String()
	return slices.ContainsFunc(v.object.Meta.Finalizers, func(other string) bool {
		known, found := v.search.finder.Plugins.Find(other, kind)
		return found && other != v.hold.Name && matchesAny(known.Reporters, reporter)
	})
}
