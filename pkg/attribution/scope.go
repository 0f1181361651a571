package attribution

import (
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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// limit is what a program's template says of the objects that it acts on: the namespaces that they are in, the labels
// that they have, their classes, or their kinds.
type limit struct {
	setting    string // as it is read: WATCH_NAMESPACE=one,two
	namespaces []string
	selector   labels.Selector // nil where labels aren't what it is limited to
	places     labels.Selector // nil where the labels of namespaces aren't
	classes    *classLimit     // nil where classes aren't
	share      *share          // nil where no share of the objects is
	off        bool            // it acts on no object of the kind
	home       bool            // the object says where its program is: in another namespace
	// unsure says that the setting may mean something else: --namespace is often where a program itself lives, and
	// --label-selector may be about what it looks up.
	unsure bool
}

// excludes reports whether an object is none that a program with this limit acts on.
func (l limit) excludes(object *session.Object, around surroundings) bool {
	switch {
	case l.off:
		return true
	case l.share != nil:
		return l.share.excludes(object.Meta)
	case l.classes != nil:
		return l.classes.exclude(around.classes)
	case l.places != nil:
		return object.Ref.Namespace != "" && !l.places.Matches(labels.Set(around.labels))
	}
	if l.selector != nil {
		return object.Meta == nil || !l.selector.Matches(labels.Set(object.Meta.Labels))
	}
	return object.Ref.Namespace != "" && !slices.Contains(l.namespaces, object.Ref.Namespace)
}

// limitsOf are the limits that the template of a program in a namespace says, for objects of a kind. given is what is
// in the ConfigMaps that give it variables.
func limitsOf(
	resource cluster.Resource, namespace string, template corev1.PodTemplateSpec, given map[string]map[string]string,
) (limits []limit) {
	for _, container := range template.Spec.Containers {
		values := variables(namespace, template, container, given)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if value := values[name]; value != "" {
				limits = addDuty(limits, resource, name, value)
				limits = addLimit(limits, namespace, name, value)
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
			limits = addDuty(limits, resource, name, expand(value, values))
			limits = addLimit(limits, namespace, name, expand(value, values))
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
	return regexp.MustCompile(`\$\([A-Za-z0-9_.-]+\)`).ReplaceAllStringFunc(text, func(name string) string {
		return values[name[2:len(name)-1]]
	})
}

// addLimit adds the limit that a setting is, if it is one. No value, or a star, means all.
func addLimit(limits []limit, own, name, value string) []limit {
	says := naming.SettingOf(name)
	if says == naming.NoLimit || strings.Contains(value, leftout.Mark) {
		return limits
	}
	if says == naming.NamesClass || says == naming.NamesController {
		return addClassLimit(limits, says, name, value)
	}
	perhapsLabels := says == naming.PerhapsSelectsLabels
	one := limit{
		setting: strings.TrimLeft(name, "-") + "=" + value, unsure: perhapsLabels || says == naming.PerhapsNamespaces,
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
	one.namespaces = strings.FieldsFunc(value, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`,;"'[]`, r)
	})
	all := func(name string) bool { return !isNamespace(name) || name == "all" }
	if len(one.namespaces) == 0 || slices.ContainsFunc(one.namespaces, all) {
		return limits
	}
	one.unsure = one.unsure && slices.Equal(one.namespaces, []string{own})
	return append(limits, one)
}

// isNamespace reports whether a text can be a namespace's name (RFC 1123 label).
func isNamespace(name string) bool {
	return regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`).MatchString(name)
}
