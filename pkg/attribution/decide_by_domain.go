package attribution

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// decideByDomain looks for the controller of a finalizer on a kind of Kubernetes' own: by the API groups of the
// finalizer's domain and their operators, by the program that wrote the entry, and by names, which alone settle nothing
// (finalizer-conventions 3).
func (s *search) decideByDomain(ctx context.Context) decision {
	if s.criteria.untraceable() {
		return decision{}
	}
	grants, err := s.finder.permissions(ctx)
	if err != nil {
		s.cannot(finding.Unread{Aspect: finding.Rights}, err)
		return decision{}
	}
	sees(s, "RBAC")
	if err := s.findRelatedGroups(ctx, grants); err != nil {
		s.cannot(finding.Unread{Aspect: finding.APIGroups}, err)
		return decision{}
	}
	s.findOperators(ctx, grants)
	s.observeOperators()
	for _, candidates := range [][]*candidate{s.subjects.writers, s.subjects.limited} {
		found := s.among(ctx, candidates)
		if setterUnseen(s, found, candidates) && found.candidate.operates == nil {
			s.possible = append(s.possible, *found.candidate.ref())
			return decision{}
		}
		if found.state == "" || found.candidate != nil {
			return ifAllowed(s.criteria, found)
		}
	}
	return s.byTraces(ctx, grants)
}

// findRelatedGroups finds the API groups of the finalizer's domain, served or left in the roles of a removed operator.
func (s *search) findRelatedGroups(ctx context.Context, grants *rbac.Grants) error {
	servedKinds, err := s.session.Reader.ServedKinds(ctx)
	if err != nil {
		return err
	}
	sees(s, "API groups")
	groups := slices.DeleteFunc(grants.Groups(), cluster.ServedByKubernetes)
	served := map[string]bool{}
	for _, resource := range servedKinds.Resources {
		served[resource.Group] = true
	}
	for _, version := range servedKinds.FailedVersions() {
		served[version.Group] = true
	}
	for group := range served {
		if !cluster.ServedByKubernetes(group) {
			groups = append(groups, group)
		}
	}
	related, kinship := naming.ClosestGroups(s.leads.domain, groups)
	if s.leads.owner = ownerWords(
		s.criteria, grants, s.leads.domain, groups,
	); kinship <= naming.Below && ofManyPrograms(grants, related) {
		s.note("API groups", finding.Some(related, mostNamed)+" ("+likeness(kinship)+"): several programs operate them")
		related = nil
	}
	s.leads.related, s.leads.kinship, s.leads.project = related, kinship, cluster.Resource{}
	s.leads.project.Group = s.leads.domain
	if len(related) == 0 {
		s.note("API groups",
			"none that is served or that a role names matches "+cmp.Or(s.leads.domain, s.criteria.finalizer))
		return nil
	}
	for _, group := range slices.Backward(related) {
		if i := slices.IndexFunc(servedKinds.Resources, func(r cluster.Resource) bool { return r.Group == group }); i >= 0 {
			s.leads.project = servedKinds.Resources[i] // of the closest group that has one
		}
	}
	s.leads.served = slices.DeleteFunc(slices.Clone(related), func(group string) bool { return !served[group] })
	where := "served here"
	if len(s.leads.served) == 0 {
		where = "no longer served here, but roles still name it"
	}
	if kinship == naming.SameOwner {
		s.leads.served = nil // one of many projects of a company: that no program operates it says nothing about another
	}
	s.note("API groups", finding.Some(related, mostNamed)+" ("+likeness(kinship)+"): "+where)
	return nil
}

func likeness(kinship naming.Relation) string {
	words := map[naming.Relation]string{
		naming.Same:      "the finalizer's domain",
		naming.Below:     "below the finalizer's domain",
		naming.SameOwner: "of the same owner as the finalizer's domain",
	}
	return cmp.Or(words[kinship], "above the finalizer's domain")
}

// findOperators makes candidates of the ServiceAccounts that operate the API groups, and of those with the right to
// update the held object's kind and the name of the entry's writer, or of the project. An account without the right is
// limited.
func (s *search) findOperators(ctx context.Context, grants *rbac.Grants) {
	found := map[rbac.Subject]bool{}
	for _, group := range s.leads.related {
		for _, operates := range grants.Operators(group) {
			if !operates.Account() || found[operates.Subject] {
				continue
			}
			c := s.candidate(ctx, operates)
			c.granted = rightSigns(operates, "*."+group)
			c.operates = &finding.Phrase{Situation: "ReadsGroup", Details: finding.Clue{Name: group, Names: operates.Via}}
			if operates.Write || operates.Finalizers || operates.Status {
				c.operates.Situation = "OperatesGroup"
			}
			c.access, _ = rightsOf(s.criteria, grants, operates.Subject)
			c.role = operates.Role
			c.owns = operates.Finalizers || operates.Status || c.wroteEntry() || c.signs.HasAny(signs.ByTie) ||
				c.namedAsItsOperator() && len(s.criteria.managers) == 0 // reading the group is what dashboards do, too
			found[operates.Subject] = operates.Write || c.owns
			if !s.rank(c, operates.Write) {
				s.subjects.passed = append(s.subjects.passed, c.account.String())
			}
		}
	}
	for _, access := range grants.Access(s.criteria.resource.GroupResource(), s.criteria.namespace) {
		if !access.Account() || found[access.Subject] || !access.Write && !access.Ordinary.Write {
			continue
		}
		c := s.candidate(ctx, access)
		c.granted = nil // many have such rights
		switch {
		case namesClassOnly(c, access):
		case c.score() >= signs.EnoughSigns && c.nominatedByMore() && !ofOtherProject(s, c):
			s.rank(c, true)
		case !access.Write:
			s.subjects.ordinary = append(s.subjects.ordinary, c)
		}
	}
	sortByScore(s.subjects.writers, s.subjects.limited)
}

// ofOtherProject reports whether a candidate to which names alone lead is a program that the catalogue knows, and the
// finalizer's domain is of no project that it knows: argocd.example.com is whoever's, and not Argo CD's.
func ofOtherProject(s *search, c *candidate) bool {
	if s.criteria.known != nil || s.leads.catalogued || c.wroteEntry() || c.signs.HasAny(signs.ByTie) {
		return false
	}
	return slices.ContainsFunc(s.finder.Plugins.All(), func(other plugins.Finalizer) bool {
		return other.RemovedBy == c.account.Name || slices.Contains(other.Managers, c.account.Name)
	})
}

// rank puts a candidate among those who may update the held object, or those who may not. Who may not, and only makes
// objects of the project's kinds, as dashboards do, is no candidate; nor is who only reads these, or operates other
// projects of the same owner, unless it set the finalizer.
func (s *search) rank(c *candidate, makes bool) (ranked bool) {
	switch {
	case s.criteria.lets(c.access) && (makes || c.owns):
		s.subjects.writers = append(s.subjects.writers, c)
	case c.owns && (s.leads.kinship > naming.Below || c.wroteEntry()):
		s.subjects.limited = append(s.subjects.limited, c)
	default:
		return false
	}
	return true
}

func (s *search) observeOperators() {
	candidates := slices.Concat(s.subjects.writers, s.subjects.limited)
	for _, one := range candidates[:min(len(candidates), mostCandidates)] {
		right, tell := "can't update ", s.observe
		if s.criteria.lets(one.access) {
			right, tell = "can "+one.access.Verb()+" ", s.note
		}
		words := right + s.criteria.resource.QualifiedName()
		if clues := one.pointers(); len(clues) > 0 {
			words = finding.And(append(voiceAsOf(s.session).Phrases(clues), words))
		}
		tell("RBAC", one.account.String()+" "+words)
	}
	if len(candidates) == 0 && len(s.leads.related) > 0 {
		s.subjects.noRights = &finding.Phrase{Situation: "NobodyHasRights", Details: finding.AbsenceDetails{
			Groups: s.leads.related, Ordinary: accounts(s.subjects.ordinary), Passed: s.subjects.passed,
			Resource: s.criteria.resource.QualifiedName(),
		}}
		s.note("RBAC", voiceAsOf(s.session).Observed(*s.subjects.noRights))
	}
}

// ifAllowed turns a candidate that runs and may not update the held object into one that is forbidden to.
func ifAllowed(criteria criteria, found decision) decision {
	if found.state == Running && !criteria.lets(found.candidate.access) {
		found.state = Forbidden
	}
	return found
}

// byTraces decides by what else leads to the project: its definition, Leases, webhooks, and the names of workloads.
func (s *search) byTraces(ctx context.Context, grants *rbac.Grants) decision {
	found, read := s.traces(ctx)
	found = slices.DeleteFunc(found, func(c *candidate) bool { return knownElsewhere(s, c) })
	switch {
	case !read:
		return decision{}
	case len(found) > 0:
		return s.decideByName(ctx, found[0], grants)
	case s.leads.liveLease:
		return decision{} // a program lives that can't be found
	case len(s.gone) > 0:
		return decision{state: Missing}
	case len(s.leads.served) > 0 && (s.leads.kinship > naming.Below || len(s.subjects.passed) == 0):
		return decision{state: nobody} // who operates a part of the domain, and could never do it, says nothing
	}
	// A webhook of the domain is something, also where nothing answers for it.
	s.leads.nothing = len(s.leads.endpoints) == 0
	return decision{}
}

func (s *search) decideByName(ctx context.Context, c *candidate, grants *rbac.Grants) decision {
	if !s.examine(ctx, c) {
		return decision{}
	}
	c.access, _ = rightsOf(s.criteria, grants, c.account)
	switch {
	case c.state == candidateElsewhere:
		return decision{state: Missing}
	case c.score() <= signs.NameAlone, namesClassOnly(c, c.access):
		c.byNameOnly = true
		return decision{"", c}
	case c.state == candidateDown:
		return decision{Down, c}
	case c.account.Name == "":
		return decision{"", c}
	}
	return ifAllowed(s.criteria, decision{Running, c})
}
