package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// candidate ranks a ServiceAccount: by its rights first, then by what else points at it. Names alone prove nothing.
func (s *search) candidate(ctx context.Context, access *controller.Access) *candidate {
	found := &candidate{account: access.Subject, access: access, namespace: access.Namespace, score: 4 * access.Specific()}
	for _, manager := range s.managers {
		if manager == access.Name || controller.Mentions(manager, access.Name) || controller.Mentions(access.Name, manager) {
			found.clue(8, finding.Phrase{Situation: "NamedAsManager", Details: finding.Clue{Name: manager}})
		}
	}
	if s.known != nil && matchesAny(s.known.Namespaces, access.Namespace) {
		found.clue(6, finding.Phrase{Situation: "InUsualNamespace", Details: finding.Clue{Name: s.known.RemovedBy}})
	}
	if hook := s.hookServedFrom(ctx, access.Namespace); hook != "" {
		found.clue(6, finding.Phrase{Situation: "BesideWebhook", Details: finding.Clue{Name: hook, Project: s.foreign()}})
	}
	if len(access.Elsewhere) > 0 {
		found.clue(4, finding.Phrase{Situation: "ChangesKindElsewhere", Details: finding.Clue{Names: access.Elsewhere}})
	}
	if controller.NamedAfter(access.Namespace, access.Name, s.projectWords()...) {
		found.clue(2, finding.Phrase{Situation: "NamedAsProject", Details: finding.Clue{Project: s.foreign()}})
	}
	if controller.LooksLikeOperator(access.Name) || controller.LooksLikeOperator(access.Namespace) {
		found.clue(1, finding.Phrase{Situation: "NamedAsOperator"})
	}
	return found
}

func (c *candidate) clue(weight int, clue finding.Phrase) {
	c.score += weight
	c.clues = append(c.clues, clue)
}

func (s *search) hookServedFrom(ctx context.Context, namespace string) string {
	for _, hook := range s.session.AdmissionRules(ctx).Hooks {
		of, inCluster := health.HookService(hook.Hook.ClientConfig)
		if inCluster && of.Namespace == namespace && s.ofProject(hook) {
			return hook.Hook.Name
		}
	}
	return ""
}

func concernsGroup(hook session.RegisteredHook, group string) bool {
	other := func(rule admissionregistrationv1.RuleWithOperations) bool {
		return !slices.Equal(rule.APIGroups, []string{group})
	}
	return len(hook.Hook.Rules) > 0 && !slices.ContainsFunc(hook.Hook.Rules, other)
}

// observeRights adds to the evidence what RBAC grants, and remembers it when it grants nobody enough.
func (s *search) observeRights(resource string) {
	say := func(format string, args ...any) { s.observe("RBAC", fmt.Sprintf(format, args...)) }
	for _, one := range s.writers[:min(len(s.writers), mostCandidates)] {
		say("%s may update %s (%s)%s", one.account, resource, finding.Some(one.access.Via, 2), s.clueClause(one))
	}
	if more := len(s.writers) - mostCandidates; more > 0 {
		say("%d more ServiceAccounts may update %s", more, resource)
	}
	if len(s.outside) > 0 {
		outside := finding.Some(s.outside, mostNamed)
		say("%s may update %s, from outside the cluster if they run a controller", outside, resource)
	}
	if s.everyone != nil {
		group := "every ServiceAccount"
		if s.everyone.Namespace != "" {
			group += " in " + s.everyone.Namespace
		}
		say("%s, %s, may update %s", s.everyone.Group, group, resource)
	}
	if len(s.writers) > 0 || s.everyone != nil {
		return
	}
	s.noRights = &finding.Phrase{Situation: "NobodyHasRights", Details: finding.AbsenceDetails{
		Resource: resource, Outside: len(s.outside) > 0, Ordinary: accounts(s.ordinary),
	}}
	say("%s", s.voice().Observed(*s.noRights))
	for _, one := range s.limited[:min(len(s.limited), mostCandidates)] {
		rights := s.voice().Phrase(one.rights(resource))
		say("%s %s (%s)%s", one.account, rights, finding.Some(one.access.Via, 2), s.clueClause(one))
	}
}

// rights is what somebody may do who may not do enough.
func (c *candidate) rights(resource string) finding.Phrase {
	clue := finding.Clue{Resource: resource}
	switch {
	case c.access.Write:
		return finding.Phrase{Situation: "MayUpdate", Details: clue}
	case c.access.Finalizers:
		return finding.Phrase{Situation: "MayUpdateFinalizers", Details: clue}
	case c.access.Status:
		return finding.Phrase{Situation: "MayUpdateStatus", Details: clue}
	case len(c.access.Elsewhere) > 0:
		clue.Names = c.access.Elsewhere
		return finding.Phrase{Situation: "MayUpdateElsewhere", Details: clue}
	case c.operates != nil || c.byNameOnly:
		return finding.Phrase{Situation: "MayNotUpdate", Details: clue}
	}
	return finding.Phrase{Situation: "MayOnlyRead", Details: clue}
}

func accounts(candidates []*candidate) []string {
	return finding.Each(candidates, func(one *candidate) string { return one.account.String() })
}

// clueClause completes an observation of a candidate by what else points at it.
func (s *search) clueClause(c *candidate) string {
	if len(c.clues) == 0 {
		return ""
	}
	return "; it " + strings.Join(s.voice().Phrases(c.clues), ", and ")
}

// ref is what a candidate is known by; nil for nobody.
func (c *candidate) ref() *finding.Ref {
	if c == nil {
		return nil
	}
	if c.workload != nil {
		return &c.workload.Ref
	}
	return c.accountRef()
}

func (c *candidate) accountRef() *finding.Ref { return new(refOf(c.account)) }

// refOf is the object that stands for a subject, or what RBAC calls it.
func refOf(subject controller.Subject) finding.Ref {
	version := rbacv1.SchemeGroupVersion.String()
	if subject.Kind == rbacv1.ServiceAccountKind {
		version = "v1"
	}
	return finding.Ref{APIVersion: version, Kind: subject.Kind, Namespace: subject.Namespace, Name: subject.Name}
}

// projectWords are the words by which that project goes.
func (s *search) projectWords() []string {
	if !s.foreign() {
		return controller.Project(s.project.Group)
	}
	var words []string
	for _, group := range append([]string{s.domain}, s.related...) {
		words = append(words, controller.Project(group)...)
	}
	return slices.DeleteFunc(words, controller.Vague)
}

// names are these words, and the API group itself, unless many projects share it.
func (s *search) names() []string {
	words := s.projectWords()
	if group := s.project.Group; group != "" && !controller.Shared(group) {
		words = append(words, group)
	}
	return words
}

// mentioned says what of the finalizer or its project a pod template is told, and how much that weighs. An API group or
// the finalizer is what a controller works with; a mere domain may be a host that others call, and settles nothing.
func (s *search) mentioned(template corev1.PodTemplateSpec) (name string, weight int) {
	names := func(name string) bool { return name != "" && session.Names(template, name) }
	if !controller.IsBareWord(s.finalizer) && names(s.finalizer) {
		return s.finalizer, 4
	}
	groups := []string{s.project.Group}
	if s.foreign() {
		groups = slices.DeleteFunc(slices.Clone(s.related), controller.Shared)
	}
	if i := slices.IndexFunc(groups, names); i >= 0 {
		return groups[i], 4
	}
	if s.foreign() && !controller.Shared(s.domain) && names(s.domain) {
		return s.domain, nameAlone
	}
	return "", 0
}

// mayBeController tells whether a program that wrote to an object of Kubernetes' own may be the finalizer's controller:
// it wrote the entry. The kubelet and others write the status.
func (h *held) mayBeController(manager string) bool {
	if h.known == nil && (controller.Setter{Manager: manager}).Copied() {
		return false
	}
	return !h.foreign() || h.known != nil && matchesAny(h.known.Managers, manager) ||
		slices.ContainsFunc(h.setters, func(setter controller.Setter) bool { return setter.Manager == manager })
}

// ofProject tells whether a webhook is the project's: made for one of its API groups, or named after its domain.
func (s *search) ofProject(hook session.RegisteredHook) bool {
	if !s.foreign() {
		return concernsGroup(hook, s.project.Group)
	}
	named := s.domain != "" && !controller.Shared(s.domain) && strings.HasSuffix(hook.Hook.Name, "."+s.domain)
	return named || slices.ContainsFunc(s.related, func(group string) bool { return concernsGroup(hook, group) })
}
