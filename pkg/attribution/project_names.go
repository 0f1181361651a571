package attribution

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// projectWords are the words by which that project goes.
func (s *search) projectWords() []string {
	if !s.byDomain {
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
	if s.byDomain {
		groups = slices.DeleteFunc(slices.Clone(s.related), controller.Shared)
	}
	if i := slices.IndexFunc(groups, names); i >= 0 {
		return groups[i], 4
	}
	if s.byDomain && !controller.Shared(s.domain) && names(s.domain) {
		return s.domain, nameAlone
	}
	return "", 0
}

// mayBeController reports whether a program that wrote to an object of Kubernetes' own may be the finalizer's
// controller: it wrote the entry. The kubelet and others write the status.
func (h *held) mayBeController(manager string) bool {
	if h.known == nil && (controller.Setter{Manager: manager}).Copied() {
		return false
	}
	return !h.byDomain || h.known != nil && matchesAny(h.known.Managers, manager) ||
		slices.ContainsFunc(h.setters, func(setter controller.Setter) bool { return setter.Manager == manager })
}

// ofProject reports whether a webhook is the project's: made for one of its API groups, or named after its domain.
func (s *search) ofProject(hook session.RegisteredHook) bool {
	if !s.byDomain {
		return concernsGroup(hook, s.project.Group)
	}
	named := s.domain != "" && !controller.Shared(s.domain) && strings.HasSuffix(hook.Hook.Name, "."+s.domain)
	return named || slices.ContainsFunc(s.related, func(group string) bool { return concernsGroup(hook, group) })
}
