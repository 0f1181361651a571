package controller

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// LocalBindings tells which namespaces have bindings of their own that may lead to a resource's controller, and in a
// text to compare which these are. All other namespaces are alike.
func (g *Grants) LocalBindings(resource schema.GroupResource) map[string]string {
	local := map[string][]string{}
	for _, bound := range g.bindings {
		if bound.namespace == "" {
			continue
		}
		for _, subject := range bound.leadsTo(resource) {
			local[bound.namespace] = append(local[bound.namespace], bound.role+" for "+subject.String())
		}
	}
	texts := map[string]string{}
	for namespace, granted := range local {
		slices.Sort(granted)
		texts[namespace] = strings.Join(slices.Compact(granted), ", ")
	}
	return texts
}

// HasLocalBindings tells whether a namespace is one of those.
func (g *Grants) HasLocalBindings(resource schema.GroupResource, namespace string) bool {
	return namespace != "" && slices.ContainsFunc(g.bindings, func(bound binding) bool {
		return bound.namespace == namespace && len(bound.leadsTo(resource)) > 0
	})
}

// leadsTo returns whom a binding makes somebody that may be the controller of a resource, or may change it.
func (b *binding) leadsTo(resource schema.GroupResource) (subjects []Subject) {
	level, _, concerns := levelOf(b.rules, resource)
	if !concerns {
		return nil
	}
	for _, one := range b.subjects {
		if subject := subjectOf(one); mayRun(subject) || level.Write && !b.ordinary {
			subjects = append(subjects, subject)
		}
	}
	return subjects
}

// mayRun tells whether pods may act as a subject: people may not.
func mayRun(subject Subject) bool {
	if subject.Kind == rbacv1.GroupKind {
		return strings.HasPrefix(subject.Name, "system:serviceaccounts") || subject.Name == "system:authenticated"
	}
	return subject.Kind == serviceAccount
}
