package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// AttributeKnown says how the controller fares that the catalogue names. What that says of workloads is looked for
// first; where that leads nowhere, the cluster is asked as for any other finalizer. If nothing shows it, the note does:
// the controller, after all, is known. Its situation is KnownFinalizer.
func (f *Finder) AttributeKnown(
	ctx context.Context, object *session.Object, hold finding.Hold, known plugins.Finalizer, note finding.Finding,
	declared Declared,
) session.Answer {
	h := f.heldBy(object, hold, &known)
	h.note, h.declared = note, declared
	return h.answerKnown(ctx)
}

func (h *held) answerKnown(ctx context.Context) session.Answer {
	if !meetAgent(ctx, h) {
		return h.unknown(nil)
	}
	h.search = h.search.finder.searchedFor(ctx, h.search.criteria, h.object)
	return h.answer(ctx)
}

// decideKnown looks for the controller that the catalogue names, and where that leads nowhere as for any other
// finalizer: by rights, or by the finalizer's domain. Nothing at all is likely absence, as its project is known.
func (s *search) decideKnown(ctx context.Context) decision {
	found, err := s.cataloguedWorkloads(ctx)
	if err != nil {
		return decision{}
	}
	byName := func(c *candidate) bool { return knownByNameAlone(s, c) }
	if meant := slices.DeleteFunc(slices.Clone(found), byName); len(meant) > 0 {
		if decided := s.amongKnown(ctx, meant); decided.state != Missing || !allElsewhere(meant) {
			return decided
		} // another program may act on the object: of the same account, or with the same rights
	}
	for _, c := range found {
		s.note(c.String(), "has a name that the catalogue gives, and nothing else of what it gives")
	}
	if searchable(s.criteria) && len(found) == 0 {
		container := "a container " + finding.Some(s.criteria.known.Containers, mostNamed)
		names := cmp.Or(finding.Some(s.criteria.known.Workloads, mostNamed), container)
		s.observe("workloads", "none matches "+names)
	}
	fell := len(s.failed)
	decided := decision{}
	switch {
	case s.criteria.kindOfKubernetes():
		decided = s.decideByDomain(ctx)
	case s.rankByRights(ctx):
		describeAccounts(s, found)
		decided = s.decide(ctx)
		dropOthersGone(s, &decided)
	}
	if c := decided.candidate; c != nil && decided.state != "" && searchable(s.criteria) &&
		s.criteria.known.Verified.Controller.Done() && (anotherIsMeant(s.finder, s.criteria, c) || besideMeant(s, c)) {
		s.note(c.String(), "is none of the workloads that the catalogue gives for the finalizer")
		decided, s.subjects.readers = decision{state: Missing}, true
	}
	doubts := decided.candidate != nil || len(s.failed) > fell || s.leads.liveLease || s.subjects.everyone != nil
	nowhere := s.criteria.kindOfKubernetes() && !searchable(s.criteria) // rights and the catalogue lead to no program
	if decided.state != "" || doubts || nowhere {
		return decided
	}
	return decision{state: Missing}
}

// besideMeant reports whether a candidate is known for other tasks, and runs as the same account as the program that
// the catalogue names for the finalizer and that leaves the object out: what the account may do and has written is the
// other's.
func besideMeant(s *search, c *candidate) bool {
	meant := func(one instance) bool {
		return one.candidate.account == c.account && c.account.Name != "" &&
			matchesAny(s.criteria.known.Workloads, one.workload.Kind+"/"+one.workload.Name)
	}
	return knownForOthers(s.finder, s.criteria, c) && slices.ContainsFunc(s.elsewhere, meant)
}

// allElsewhere reports whether some candidates act on other objects than the held one.
func allElsewhere(candidates []*candidate) bool {
	return !slices.ContainsFunc(candidates, func(c *candidate) bool { return c.state != candidateElsewhere })
}

// knownByNameAlone reports whether a workload is where no one installs the catalogue's, and has nothing but its name:
// many programs may have it. Rights tell whether it is the one, if they may: they don't on kinds of Kubernetes' own.
func knownByNameAlone(s *search, c *candidate) bool {
	if s.criteria.kindOfKubernetes() || !c.signs.Has(signs.DescribedByName) || c.namespace == s.criteria.namespace {
		return false
	}
	_, own, _ := labelled(s.criteria, c.workload.Whole)
	return !own && !matchesAny(s.criteria.known.Namespaces, c.namespace)
}

// describeAccounts adds to the accounts that RBAC leads to that workloads with names from the catalogue run as them.
func describeAccounts(s *search, named []*candidate) {
	for _, c := range slices.Concat(s.subjects.writers, s.subjects.ordinary, s.subjects.limited) {
		if slices.ContainsFunc(named, func(one *candidate) bool { return one.account == c.account }) {
			c.points(signs.DescribedByName, finding.Clue{Name: s.criteria.known.RemovedBy})
		}
	}
	sortByScore(s.subjects.writers, s.subjects.limited, s.subjects.ordinary)
}

// dropOthersGone forgets accounts that are gone and have nothing in common with the program that the catalogue names:
// it says who is missing.
func dropOthersGone(s *search, decided *decision) {
	if decided.state != Missing || !searchable(s.criteria) || !s.criteria.known.Verified.Controller.Done() {
		return
	}
	var names []string
	for _, workload := range s.criteria.known.Workloads {
		_, name, _ := strings.Cut(workload, "/")
		names = append(names, strings.Trim(name, "*-"))
	}
	names = append(append(names, s.criteria.known.Managers...), s.criteria.known.RemovedBy)
	names = slices.DeleteFunc(names, naming.Generic)
	project := s.terms().ofProject()
	s.gone = slices.DeleteFunc(s.gone, func(c *candidate) bool {
		its := c.wroteEntry() || c.signs.HasAny(signs.ByTie) ||
			naming.NamedAfter(c.namespace, c.account.Name, slices.Concat(names, project)...)
		if !its {
			s.note(c.account.String(), "may update the kind, but is not the program that the catalogue names")
		}
		return !its
	})
}

// amongKnown decides between workloads that fit the catalogue, as between others, and whether the one may do its work.
func (s *search) amongKnown(ctx context.Context, found []*candidate) decision {
	sortByScore(found)
	decided := s.among(ctx, found)
	if decided.state == Running {
		return s.allowed(ctx, decided.candidate)
	}
	return decided
}

// allowed decides about the plugin's own workload, which runs: RBAC may have taken away what it needs. What roles named
// system: grant to programs in kube-system is not known.
func (s *search) allowed(ctx context.Context, c *candidate) decision {
	own := s.criteria.kindOfKubernetes()
	if c.account.Name == "" || own && c.namespace == metav1.NamespaceSystem {
		return decision{Running, c}
	}
	grants, err := s.finder.permissions(ctx)
	if err != nil {
		s.cannot(finding.Unread{Aspect: finding.Rights}, err)
		return decision{"", c}
	}
	access, named := rightsOf(s.criteria, grants, c.account)
	if named {
		c.access = access
	}
	switch {
	case s.criteria.lets(access), own && !named: // its rights may come from elsewhere than from roles about the kind
		return decision{Running, c}
	case !named && c.unknownLogin():
		return decision{Running, c}
	case !named:
		s.observeBare(c)
	}
	return decision{Forbidden, c}
}

// knownDetails are what the catalogue says of the finalizer, as far as it matters to this object.
func knownDetails(search search, note finding.Finding) finding.KnownFinalizerDetails {
	if details, given := note.Details.(finding.KnownFinalizerDetails); given {
		return details
	}
	return KnownDetails(*search.criteria.known)
}

// KnownDetails are what the catalogue says of a finalizer.
func KnownDetails(known plugins.Finalizer) finding.KnownFinalizerDetails {
	return finding.KnownFinalizerDetails{
		RemovedBy: known.RemovedBy, WaitsFor: known.WaitsFor, Doubt: known.Verified.Doubt(),
		MayRunOutside: known.MayRunOutside,
	}
}

// KnownEvidence is what a plugin says, and how sure that is.
func KnownEvidence(hold finding.Hold, known plugins.Finalizer) finding.Evidence {
	observed := cmp.Or(known.Source, known.File)
	if doubt := known.Verified.Doubt(); doubt != "" {
		observed += " (unverified: " + doubt + ")"
	}
	return finding.Observed("catalogue on "+hold.Name, "%s", observed).Ranked(finding.Aside)
}
