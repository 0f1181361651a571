package attribution

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

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
		return facts.Runs(template, s.group())
	}
	plain := template.DeepCopy()
	for i := range plain.Spec.Containers {
		plain.Spec.Containers[i].Image = ""
	}
	for i := range plain.Spec.InitContainers {
		plain.Spec.InitContainers[i].Image = ""
	}
	return slices.ContainsFunc(append(slices.Clone(s.kin), s.domain), func(name string) bool {
		return name != "" && !controller.Shared(name) && facts.Runs(*plain, name)
	})
}

// theirs tells whether a program that wrote to an object of Kubernetes' own may be the finalizer's controller: it wrote
// the entry. The kubelet and others write the status.
func (h *held) theirs(manager string) bool {
	return !h.foreign() || h.known != nil && matchesAny(h.known.Managers, manager) ||
		slices.ContainsFunc(h.setters, func(setter controller.Setter) bool { return setter.Manager == manager && !setter.Copied() })
}

// ofProject tells whether a webhook is the project's: it is made for one of its API groups, or has a name in its domain.
func (s *search) ofProject(hook refusal.RegisteredHook) bool {
	if !s.foreign() {
		return concernsGroup(hook, s.group())
	}
	named := s.domain != "" && !controller.Shared(s.domain) && strings.HasSuffix(hook.Hook.Name, "."+s.domain)
	return named || slices.ContainsFunc(s.kin, func(group string) bool { return concernsGroup(hook, group) })
}
