package limits

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// mostConfigMaps is how many ConfigMaps are read of one template.
const mostConfigMaps = 4

// ConfigMaps returns the names of the ConfigMaps that may say what a template's programs act on: all of whose keys
// are variables, or which give a variable whose name says so, or which an argument says so with.
func ConfigMaps(template corev1.PodTemplateSpec) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) && len(names) < mostConfigMaps {
			names = append(names, name)
		}
	}
	for _, container := range template.Spec.Containers {
		for _, variable := range container.Env {
			from := variable.ValueFrom
			if from != nil && from.ConfigMapKeyRef != nil && mayTell(variable.Name, container) {
				add(from.ConfigMapKeyRef.Name)
			}
		}
	}
	for _, container := range template.Spec.Containers {
		for _, from := range container.EnvFrom {
			if from.ConfigMapRef != nil {
				add(from.ConfigMapRef.Name)
			}
		}
	}
	return names
}

// mayTell reports whether a variable may say what a container's program acts on: by its name, or in an argument or
// another variable.
func mayTell(variable string, container corev1.Container) bool {
	refers := "$(" + variable + ")"
	return naming.MaySet(variable) ||
		slices.ContainsFunc(slices.Concat(container.Command, container.Args), func(word string) bool {
			return strings.Contains(word, refers)
		}) || slices.ContainsFunc(container.Env, func(other corev1.EnvVar) bool {
		return strings.Contains(other.Value, refers)
	})
}

// givesVariable is the ConfigMap that gives a container a variable; empty if its template itself does. What env has
// counts before what envFrom gives, and of several the last (k8s v1.37 api/core/v1/types.go:Container.EnvFrom).
func givesVariable(container corev1.Container, given map[string]map[string]string, name string) (from string) {
	for _, source := range container.EnvFrom {
		if source.ConfigMapRef == nil {
			continue
		}
		key, has := strings.CutPrefix(name, source.Prefix)
		if _, there := given[source.ConfigMapRef.Name][key]; has && there {
			from = source.ConfigMapRef.Name
		}
	}
	for _, variable := range container.Env {
		if variable.Name != name {
			continue
		}
		if from = ""; variable.ValueFrom != nil && variable.ValueFrom.ConfigMapKeyRef != nil {
			from = variable.ValueFrom.ConfigMapKeyRef.Name
		}
	}
	return from
}

// fromConfigMaps adds the variables of a container that ConfigMaps give it as a whole.
func fromConfigMaps(values map[string]string, container corev1.Container, given map[string]map[string]string) {
	for _, from := range container.EnvFrom {
		if from.ConfigMapRef == nil {
			continue
		}
		for key, value := range given[from.ConfigMapRef.Name] {
			values[from.Prefix+key] = value
		}
	}
}
