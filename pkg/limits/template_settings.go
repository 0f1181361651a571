package limits

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// Of returns the limits that the template of a program in a namespace says, for objects of a kind that a finalizer
// holds. given is what is in the ConfigMaps that give it variables (ConfigMaps), by their names.
func Of(
	resource cluster.Resource, finalizer, namespace string, template corev1.PodTemplateSpec,
	given map[string]map[string]string,
) (limits []Limit) {
	duties := dutiesOf(resource, finalizer)
	add := func(from, name, value string) {
		before := len(limits)
		limits = addDuty(limits, duties, namespace, name, value)
		limits = addLimit(limits, namespace, name, value)
		for i := range limits[before:] {
			limits[before+i].ConfigMap = from
		}
	}
	for _, container := range template.Spec.Containers {
		values := variables(namespace, template, container, given)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if value := values[name]; value != "" {
				add(givesVariable(container, given, name), name, value)
			}
		}
		words := slices.Concat(container.Command, container.Args)
		for i, word := range words {
			name, value, has := strings.Cut(word, "=")
			if !strings.HasPrefix(name, "-") {
				continue
			}
			if !has && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
				value = words[i+1]
			}
			from := ""
			for _, variable := range reference().FindAllString(value, -1) {
				from = cmp.Or(from, givesVariable(container, given, variable[2:len(variable)-1]))
			}
			add(from, name, expand(value, values))
		}
	}
	return limits
}

// variables are what a container's environment holds, as far as the template and ConfigMaps tell.
func variables(
	namespace string, template corev1.PodTemplateSpec, container corev1.Container, given map[string]map[string]string,
) map[string]string {
	values := map[string]string{}
	fromConfigMaps(values, container, given)
	for _, envVar := range container.Env {
		values[envVar.Name] = expand(envVar.Value, values)
		from := envVar.ValueFrom
		if from != nil && from.ConfigMapKeyRef != nil {
			values[envVar.Name] = given[from.ConfigMapKeyRef.Name][from.ConfigMapKeyRef.Key]
		}
		if from == nil || from.FieldRef == nil {
			continue
		}
		path := from.FieldRef.FieldPath
		if path == "metadata.namespace" {
			values[envVar.Name] = namespace
		} else if key, is := strings.CutPrefix(path, "metadata.annotations['"); is { // as OLM tells it
			values[envVar.Name] = template.Annotations[strings.TrimSuffix(key, "']")]
		}
	}
	return values
}

// expand replaces $(NAME) by what the environment holds (k8s v1.37 third_party/forked/golang/expansion/expand.go).
func expand(text string, values map[string]string) string {
	return reference().ReplaceAllStringFunc(text, func(name string) string {
		return values[name[2:len(name)-1]]
	})
}

// reference is a variable in a text: $(NAME).
func reference() *regexp.Regexp { return regexp.MustCompile(`\$\([A-Za-z0-9_.-]+\)`) }

// addLimit adds the limit that a setting is, if it is one. No value, or a star, means all.
func addLimit(limits []Limit, own, name, value string) []Limit {
	says := naming.SettingOf(name)
	if says == naming.NoLimit || strings.Contains(value, leftout.Mark) {
		return limits
	}
	if says == naming.NamesClass || says == naming.NamesController {
		return addClasses(limits, says, name, value)
	}
	perhapsLabels := says == naming.PerhapsSelectsLabels
	one := Limit{
		Setting: strings.TrimLeft(name, "-") + "=" + value, Unsure: perhapsLabels || says == naming.PerhapsNamespaces,
	}
	if says == naming.FiltersClusters && value != "" {
		value, says = "cluster.x-k8s.io/watch-filter="+value, naming.SelectsLabels // cluster-api common_types.go:WatchLabel
	}
	if perhapsLabels || says == naming.SelectsLabels || says == naming.SelectsNamespaces {
		selector, err := labels.Parse(value)
		if err != nil || selector.Empty() {
			return limits
		}
		if one.selector = selector; says == naming.SelectsNamespaces {
			one.selector, one.places = nil, selector
		}
		return append(limits, one)
	}
	one.Namespaces = strings.FieldsFunc(value, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`,;"'[]`, r)
	})
	if says == naming.LeavesOutNamespaces {
		one.Except = true
		return append(limits, one)
	}
	all := func(name string) bool { return !IsNamespace(name) || name == "all" }
	if len(one.Namespaces) == 0 || slices.ContainsFunc(one.Namespaces, all) {
		return limits
	}
	one.Unsure = one.Unsure && slices.Equal(one.Namespaces, []string{own})
	return append(limits, one)
}

// IsNamespace reports whether a text can be a namespace's name (RFC 1123 label).
func IsNamespace(name string) bool {
	return regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`).MatchString(name)
}
