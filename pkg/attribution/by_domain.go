package attribution

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// foreign tells whether the held object is of a kind of Kubernetes' own: many may write it, so that rights on it lead
// to nobody, and its status is told by others than the finalizer's controller.
func (s *search) foreign() bool { return !facts.Custom(s.object.Resource.Group) }

// group is the API group that stands for the project whose finalizer it may be.
func (s *search) group() string { return s.project.Group }

// projectWords are the words by which that project goes.
func (s *search) projectWords() []string {
	if !s.foreign() {
		return controller.Project(s.group())
	}
	var words []string
	for _, group := range append([]string{s.domain}, s.kin...) {
		words = append(words, controller.Project(group)...)
	}
	return slices.DeleteFunc(words, controller.Vague)
}

// names are these words, and the API group itself, unless many projects share it.
func (s *search) names() []string {
	words := s.projectWords()
	if group := s.group(); group != "" && !controller.Shared(group) {
		words = append(words, group)
	}
	return words
}

// mentioned tells whether a pod template names the API group. Of a finalizer's domain, which may be a company's, images
// tell nothing: their registries have one too.
func (s *search) mentioned(template corev1.PodTemplateSpec) bool {
	if !s.foreign() {
		return facts.Names(template, s.group())
	}
	plain := template.DeepCopy()
	for i := range plain.Spec.Containers {
		plain.Spec.Containers[i].Image = ""
	}
	for i := range plain.Spec.InitContainers {
		plain.Spec.InitContainers[i].Image = ""
	}
	return slices.ContainsFunc(append(slices.Clone(s.kin), s.domain), func(name string) bool {
		return name != "" && !controller.Shared(name) && facts.Names(*plain, name)
	})
}

// theirs tells whether a program that wrote to an object of Kubernetes' own may be the finalizer's controller: it wrote
// the entry. The kubelet and others write the status.
func (s *search) theirs(manager string) bool {
	return !s.foreign() || s.known != nil && matchesAny(s.known.Managers, manager) ||
		slices.ContainsFunc(s.setters, func(setter controller.Setter) bool { return setter.Manager == manager })
}

// decideByDomain looks for the controller of a finalizer on a kind of Kubernetes' own: by the API groups to which the
// finalizer's domain leads, and those who operate them; by the program that wrote the entry; and by names, which
// alone settle nothing (finalizer-conventions 3).
func (s *search) decideByDomain(ctx context.Context) decision {
	if s.domain == "" && s.lastProgram().At.IsZero() {
		return decision{state: decidedUnsettled} // no word of it leads anywhere
	}
	grants, err := s.permissions(ctx)
	if err != nil {
		s.cannot("what RBAC allows", err)
		return decision{state: decidedUnsettled}
	}
	if err := s.findKin(ctx, grants); err != nil {
		s.cannot("which API groups are served", err)
		return decision{state: decidedUnsettled}
	}
	s.findOperators(ctx, grants)
	s.sayOperators()
	for _, candidates := range [][]*candidate{s.writers, s.lesser} {
		if found := s.among(ctx, candidates); found.state == decidedUnsettled || found.candidate != nil {
			return s.ifAllowed(found)
		}
	}
	return s.byTraces(ctx, grants)
}

// findKin finds the API groups to which the finalizer's domain leads: those that are served, and those that an
// operator that is gone has left in its roles.
func (s *search) findKin(ctx context.Context, grants *controller.Grants) error {
	catalog, err := s.Reader.Catalog(ctx)
	if err != nil {
		return err
	}
	groups := slices.DeleteFunc(grants.Groups(), func(group string) bool { return !facts.Custom(group) })
	served := map[string]bool{}
	for _, resource := range catalog.Resources {
		served[resource.Group] = true
	}
	for _, version := range catalog.FailedVersions() {
		served[version.Group] = true
	}
	for group := range served {
		if facts.Custom(group) {
			groups = append(groups, group)
		}
	}
	kin, kinship := controller.Relatives(s.domain, groups)
	s.kin, s.project = kin, cluster.Resource{}
	s.project.Group = s.domain
	if len(kin) == 0 {
		s.evidence = append(s.evidence, graph.Evidence{Source: "API groups", Observed: fmt.Sprintf("none that is served, and none that a role names, has to do with %s", cmp.Or(s.domain, s.hold.Name))})
		return nil
	}
	for _, group := range kin {
		if i := slices.IndexFunc(catalog.Resources, func(r cluster.Resource) bool { return r.Group == group }); i >= 0 && s.project.Kind == "" {
			s.project = catalog.Resources[i]
		}
	}
	s.served = slices.DeleteFunc(slices.Clone(kin), func(group string) bool { return !served[group] })
	where := "is served here"
	if len(s.served) == 0 {
		where = "is not served here any more, and roles still name it"
	}
	s.evidence = append(s.evidence, graph.Evidence{Source: "API groups", Observed: facts.Some(kin, mostNamed) + ", " + likeness(kinship) + ", " + where})
	return nil
}

// likeness says what API groups have to do with a finalizer's domain.
func likeness(kinship controller.Kinship) string {
	switch kinship {
	case controller.Same:
		return "which is the finalizer's domain"
	case controller.Below:
		return "which belongs to the finalizer's domain"
	case controller.SameOwner:
		return "which has an owner in common with the finalizer's domain"
	}
	return "to which the finalizer's domain belongs"
}

// findOperators makes candidates of the ServiceAccounts that operate the API groups, and of those that may update the
// held object's kind and go by the name of who wrote the entry, or of the project. Whoever may not is among the lesser.
func (s *search) findOperators(ctx context.Context, grants *controller.Grants) {
	found := map[controller.Subject]bool{}
	for _, group := range s.kin {
		for _, operates := range grants.Operators(group) {
			if !operates.Account() || found[operates.Subject] {
				continue
			}
			c := s.candidate(ctx, operates)
			c.kin, c.access = fmt.Sprintf("operates %s (%s)", group, facts.Some(operates.Via, 2)), s.rightsOf(grants, operates.Subject)
			c.owns = operates.Finalizers || operates.Status || len(c.hints) > 0
			found[operates.Subject] = true
			s.rank(c)
		}
	}
	for _, access := range grants.Access(s.object.Resource.GroupResource(), s.object.Ref.Namespace) {
		if !access.Account() || found[access.Subject] || !access.Write && !access.Ordinary.Write {
			continue
		}
		if c := s.candidate(ctx, access); c.score-4*access.Specific() >= 3 {
			c.score, c.owns = c.score-4*access.Specific(), true // many have such rights
			s.rank(c)
		}
	}
	byScore := func(a, b *candidate) int { return cmp.Compare(b.score, a.score) }
	slices.SortStableFunc(s.writers, byScore)
	slices.SortStableFunc(s.lesser, byScore)
}

// rightsOf is what a ServiceAccount may do with the held object, for itself or as one of all.
func (s *search) rightsOf(grants *controller.Grants, subject controller.Subject) *controller.Access {
	own, asOne := &controller.Access{Subject: subject}, false
	for _, access := range grants.Access(s.object.Resource.GroupResource(), s.object.Ref.Namespace) {
		if access.Subject == subject {
			own = access
		}
		asOne = asOne || (access.Everybody() || access.InNamespace(subject.Namespace)) && (access.Write || access.Ordinary.Write)
	}
	own.Ordinary.Write = own.Ordinary.Write || asOne
	return own
}

// rank puts a candidate among those who may update the held object, or those who may not. Who may not, and only makes
// objects of the project's kinds, as dashboards do, is no candidate.
func (s *search) rank(c *candidate) {
	switch {
	case c.writes(s.ofKind):
		s.writers = append(s.writers, c)
	case c.owns:
		s.lesser = append(s.lesser, c)
	}
}

// writes tells whether RBAC lets a candidate remove the finalizer.
func (c *candidate) writes(somewhere bool) bool {
	return c.access != nil && (c.access.Write || c.access.Ordinary.Write || somewhere && len(c.access.Elsewhere) > 0)
}

func (s *search) sayOperators() {
	resource := s.object.Resource.QualifiedName()
	for _, one := range slices.Concat(s.writers, s.lesser)[:min(len(s.writers)+len(s.lesser), mostCandidates)] {
		right := "may update " + resource
		if !one.writes(s.ofKind) {
			right = "may not update " + resource
		}
		words := append(slices.Clone(one.hints), right)
		if one.kin != "" {
			words = append([]string{one.kin}, words...)
		}
		s.evidence = append(s.evidence, graph.Evidence{Source: "RBAC", Observed: one.account.String() + " " + strings.Join(words, ", and ")})
	}
	if len(s.writers)+len(s.lesser) > 0 {
		return
	}
	if len(s.kin) > 0 {
		s.nobody = "RBAC lets no ServiceAccount change anything of " + facts.Some(s.kin, mostNamed) + " by rules of its own"
		s.evidence = append(s.evidence, graph.Evidence{Source: "RBAC", Observed: strings.TrimPrefix(s.nobody, "RBAC ")})
	}
}

// ifAllowed turns a candidate that runs and may not update the held object into one that is forbidden to.
func (s *search) ifAllowed(found decision) decision {
	if found.state == decidedRunning && !found.candidate.writes(s.ofKind) {
		found.state = decidedForbidden
	}
	return found
}

// byTraces decides by what else leads to the project: its definition, Leases, webhooks, and the names of workloads.
// A name alone settles nothing.
func (s *search) byTraces(ctx context.Context, grants *controller.Grants) decision {
	found, read := s.traces(ctx)
	switch {
	case !read:
		return decision{state: decidedUnsettled}
	case len(found) > 0:
		return s.namesake(ctx, found[0], grants)
	case s.leased:
		return decision{state: decidedUnsettled} // somebody lives who can't be found
	case len(s.gone) > 0:
		return decision{state: decidedMissing}
	case len(s.served) > 0:
		return decision{state: decidedNobody}
	}
	s.nothing = true
	return decision{state: decidedUnsettled}
}

// namesake decides about the workload to which traces lead.
func (s *search) namesake(ctx context.Context, c *candidate, grants *controller.Grants) decision {
	if !s.examine(ctx, c) {
		return decision{state: decidedUnsettled}
	}
	c.access = s.rightsOf(grants, c.account)
	const nameAlone = 3
	switch {
	case c.score <= nameAlone:
		c.nominal = true
		return decision{decidedUnsettled, c}
	case c.state == candidateDown:
		return decision{decidedDown, c}
	case c.account.Name == "":
		return decision{decidedUnsettled, c}
	}
	return s.ifAllowed(decision{decidedRunning, c})
}

// ofProject tells whether a webhook is the project's: it is made for one of its API groups, or has a name in its domain.
func (s *search) ofProject(hook refusal.RegisteredHook) bool {
	if !s.foreign() {
		return concernsGroup(hook, s.group())
	}
	named := s.domain != "" && !controller.Shared(s.domain) && strings.HasSuffix(hook.Hook.Name, "."+s.domain)
	return named || slices.ContainsFunc(s.kin, func(group string) bool { return concernsGroup(hook, group) })
}
